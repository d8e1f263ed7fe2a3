"""What every page passes: cookies, links, form tokens, headers, errors."""
