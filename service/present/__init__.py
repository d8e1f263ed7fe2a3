"""A game as people read it: in sentences, in rows, in pictures."""
