"""Tables before the start: made, joined and looked after by their host."""
