"""What requests to the API look like."""
