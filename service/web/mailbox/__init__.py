"""The mailbox of a machine without a mail server."""
