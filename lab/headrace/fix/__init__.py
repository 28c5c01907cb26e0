"""A slow program: its causes, the remedies tried on it, and the proof that its output stays the same."""
