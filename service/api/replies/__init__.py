"""A game as the API tells it."""
