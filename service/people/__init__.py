"""Whoever has an address: accounts, remembered browsers, and leaving for good."""
