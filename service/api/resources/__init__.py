"""The resources of the API, a noun a file."""
