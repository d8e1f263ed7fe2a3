"""What every request to the API passes, and what every answer brings."""
