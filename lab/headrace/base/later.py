"""Modules that are loaded when something of them is used, for who may not need them at all."""

from __future__ import annotations

import importlib
from typing import Any


class Later:
    """A module, by its name: numpy, for one, takes a third of the time of `headrace list`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        """Return something of the module."""
        return getattr(importlib.import_module(self._name), name)
