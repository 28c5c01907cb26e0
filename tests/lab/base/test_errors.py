"""What a person is told of a file that does not fit its model."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from headrace.base.errors import first_fault


class Looks(BaseModel):
    rounds: list[int]


class File(BaseModel):
    looks: Looks


def fault(data: object) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        File.model_validate(data)
    return caught.value


def test_the_first_fault_names_its_key_and_says_why() -> None:
    error = fault({"looks": {"rounds": [1, "two", "three"]}})
    assert first_fault(error).startswith("key looks.rounds.1: Input should be a valid integer")
    assert "three" not in first_fault(error)


def test_a_model_inside_a_file_is_named_from_the_top() -> None:
    assert first_fault(fault({}), "run.asked").startswith("key run.asked.looks: Field required")


def test_what_is_no_table_at_all_has_no_key() -> None:
    assert first_fault(fault([])).startswith("Input should be a valid dictionary")
