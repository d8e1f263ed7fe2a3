"""Playing: from a mailed link or a remembered browser to the next thing to do."""
