"""The background worker: mail, deadlines, bots and elections."""
