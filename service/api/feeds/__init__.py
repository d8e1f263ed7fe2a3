"""What programs wait for: how it is read, together with others, and how it is told."""
