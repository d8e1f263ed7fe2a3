"""Whoever asks: accounts, their tokens, and leaving for good."""
