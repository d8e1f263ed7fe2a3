"""Mails on their way: composed, checked, written, rendered, sent."""
