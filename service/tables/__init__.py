"""Tables before the start: laid, filled, changed, called off; and practice."""
