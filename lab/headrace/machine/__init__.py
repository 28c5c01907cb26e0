"""The machine: what it is, what disturbs it, what is missing."""
