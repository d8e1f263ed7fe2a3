"""What requests and answers of the API look like."""
