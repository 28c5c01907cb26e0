"""Numbers in, verdicts out: pure statistics."""
