"""What is written the same everywhere: addresses, names, tokens, errors, enums."""
