"""Mails that come in: what they say, and what is done about them."""
