"""How much anybody may ask, by whom it is counted, and budgets many share."""
