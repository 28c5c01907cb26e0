"""Whole campaigns on other machines: what travels, who runs it there, and what comes back."""
