"""The web service: everything a request needs."""
