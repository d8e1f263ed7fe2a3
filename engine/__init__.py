"""The rules of King Up!: pure functions over frozen values."""
