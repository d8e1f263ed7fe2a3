"""The web service: everything a request needs."""

import gc

# A start makes two hundred thousand things that stay: to look for garbage among them as
# often as Python does is for nothing. Afterwards it is looked for less often, too, for
# little of what a request makes refers to itself.
gc.set_threshold(10_000)
