"""Contenders as programs, in a cache that is keyed by content."""
