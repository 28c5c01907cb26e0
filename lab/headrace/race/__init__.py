"""From what was asked for to a campaign; its rows again, and two of them compared."""
