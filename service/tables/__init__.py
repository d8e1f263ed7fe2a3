"""Tables before the start: laid, filled, changed, called off; and practice."""

# They stand beside the handlers, because before the start there is no question to
# answer, only rows that come and go. The game's lock is held all the same.
