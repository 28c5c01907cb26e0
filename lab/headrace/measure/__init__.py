"""Who runs when, and when it is enough."""
