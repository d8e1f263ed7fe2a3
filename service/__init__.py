"""The web service: everything a request needs."""

import gc

# A start makes two hundred thousand things that stay: looking for garbage among them
# as often as Python does takes a tenth of it.
gc.set_threshold(10_000)
