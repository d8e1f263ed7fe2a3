"""The command `kingup`, one group of its subcommands a file."""
