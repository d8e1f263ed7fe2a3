"""What programs wait for: how it is read, for many at once, and how it is rendered."""
