"""How fast it is, as ratios to bare endpoints measured in the same run."""
