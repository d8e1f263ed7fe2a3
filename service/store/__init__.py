"""The one place with statements on tables: functions only, a file a family."""

# SQL is written by hand, and models are for migrations and their test alone: the one
# statement that writes a game could not be said otherwise.
