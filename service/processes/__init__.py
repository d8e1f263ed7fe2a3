"""The processes that Kingup is made of, and what keeps them running."""
