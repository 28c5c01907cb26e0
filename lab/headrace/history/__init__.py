"""Campaigns of before: an index over results files, and what changed in them."""
