"""The judge: from the times of rounds to estimates, intervals, verdicts, places and what to measure next.

Everything here is pure: arrays of times in, values out. Nothing else in the lab decides whether two builds
differ.
"""
