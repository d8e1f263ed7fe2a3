"""Remembered browsers, ended by whoever reads their mailbox."""
