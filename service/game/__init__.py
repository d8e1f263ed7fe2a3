"""A running game: the one write path, what follows from it, and who sees what."""
