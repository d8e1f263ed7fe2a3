"""The tables: one family a file, no behaviour.

Running they are not needed: only migrations and tests read `tables`, and the rest the
handle in `base`.
"""
