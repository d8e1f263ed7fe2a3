"""What happens by itself: deadlines, bots, ends, and what goes after a while."""
