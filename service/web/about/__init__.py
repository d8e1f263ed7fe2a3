"""What is for everybody: the first page, the rules, the API."""
