"""The time of a diagnosis: how much of it each part may use, so that the whole ends when it should."""

from __future__ import annotations

import time

# Parts of the time after which a stage begins nothing more. What has begun may still end, and a run takes at
# most SHORTEST of the time, so that all of it ends within one and a half times what was asked for.
SEEN = 0.2  # runs that are watched
CHECKS = 0.6  # the program as it is on other inputs and on a terminal, before any remedy
REMEDIES = 0.65  # remedies, one by one
COMBINATIONS = 0.75
KILLS = 0.8
ROUNDS = 1.0
LATEST = 1.3  # rounds without which there is no interval, and leaving out what does not help
SHORTEST = 0.1  # one run


class Budget:
    """Seconds that a diagnosis may take, from now on."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._began = seconds, time.monotonic()

    def has(self, part: float) -> bool:
        """Tell whether less than a part of the time is spent."""
        return time.monotonic() - self._began < part * self.seconds

    def left(self, part: float = ROUNDS) -> float:
        """Return the seconds until a part of the time is spent; 0 past that."""
        return max(0.0, part * self.seconds - (time.monotonic() - self._began))
