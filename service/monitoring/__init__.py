"""Whether the service is well, and what it says of itself."""
