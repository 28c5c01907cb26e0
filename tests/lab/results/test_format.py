"""The formats: what is published is what is read, and a newer file still loads."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from checkout import TOP
from conftest import Command
from headrace.base.errors import BadInput
from headrace.base.fields import comments
from headrace.matrix import benchmarks, documents, generators
from headrace.results import published, store
from synthetic import read_ints as campaign


def schema_of(name: str) -> dict[str, Any]:
    one = documents.DOCUMENTS[name]
    models = [model for _, model in one.models]
    return published.schema(models[0], one.title, models)


@pytest.mark.parametrize("name", documents.DOCUMENTS)
def test_the_published_schema_is_that_of_the_models(name: str) -> None:
    stored = json.loads((TOP / "docs" / "schema" / f"{name}.json").read_text(encoding="utf-8"))
    assert stored == schema_of(name), (
        f"headrace list --schema {name} > docs/schema/{name}.json writes it again"
    )


@pytest.mark.parametrize("name", documents.DOCUMENTS)
def test_a_schema_holds_every_model_that_its_document_has(name: str) -> None:
    made = schema_of(name)
    assert set(made["$defs"]) - {"Role"} == {
        model.__name__ for _, model in documents.DOCUMENTS[name].models[1:]
    }


@pytest.mark.parametrize(
    "file", sorted((TOP / "benchmarks").glob("*/benchmark.toml")), ids=lambda f: f.parent.name
)
def test_every_benchmark_meets_the_schema(file: Path) -> None:
    jsonschema.validate(tomllib.loads(file.read_text(encoding="utf-8")), schema_of("benchmark"))


def test_a_saved_campaign_meets_the_schema_and_a_wrong_one_does_not(tmp_path: Path) -> None:
    store.save(campaign(), tmp_path / "results.json")
    data = json.loads((tmp_path / "results.json").read_text())
    jsonschema.validate(data, schema_of("results"))
    data["rows"][0]["samples"][0]["wall"] = "long"
    with pytest.raises(jsonschema.ValidationError, match="long"):
        jsonschema.validate(data, schema_of("results"))


def test_every_key_of_a_benchmark_is_said_in_the_reference() -> None:
    for _, model in documents.DOCUMENTS["benchmark"].models:
        assert all(comments(model).values()), model
    text = documents.tables("benchmark")
    for name in [*benchmarks.BenchmarkSpec.model_fields, *benchmarks.ContenderSpec.model_fields]:
        assert f"| `{name}` |" in text
    for name in generators.GENERATORS:
        assert f"| `{name}` |" in text


def test_a_newer_file_with_unknown_keys_loads(tmp_path: Path) -> None:
    file = tmp_path / "newer.json"
    store.save(campaign(), file)
    data = json.loads(file.read_text())
    data["weather"] = {"wind": 3}
    data["rows"][0]["samples"][0]["temperature"] = 40
    data["machine"]["fans"] = ["left"]
    file.write_text(json.dumps(data))
    assert store.load(file) == campaign()


def test_a_file_of_a_version_to_come_says_so(tmp_path: Path) -> None:
    file = tmp_path / "future.json"
    store.save(campaign(), file)
    data = json.loads(file.read_text())
    data["schema_version"] += 1
    file.write_text(json.dumps(data))
    with pytest.raises(BadInput, match="update headrace"):
        store.load(file)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"started": "yesterday"}, "key started: .*'yesterday'"),
        ({"machine": {"cpu": "large", "cores": 10**19}}, "key machine.cores: .*1000000"),
    ],
)
def test_a_start_that_is_no_time_and_a_machine_of_too_many_cores_are_refused(
    tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    file = tmp_path / "race.json"
    file.write_text(json.dumps(json.loads(campaign().model_dump_json()) | changed))
    with pytest.raises(BadInput, match=said):
        store.load(file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("titel = 'x'\n", "there is no key titel; did you mean title"),
        (
            "[[contender]]\nname = 'a'\nsourcs = ['file']\n",
            "there is no key sourcs; did you mean sources or source",
        ),
        (
            "[[finding]]\na = 'a'\ncompares = 'library'\nsays = ''\n",
            "there is no key compares; did you mean compare",
        ),
        (
            "[[contender]]\nname = 'a'\n[[contender.order]]\nexpected = ''\nsetings = {}\n",
            "there is no key setings; did you mean settings",
        ),
        ("[in_process]\nharnes = 'x'\narguments = []\n", "there is no key harnes; did you mean harness"),
    ],
)
def test_an_unknown_key_suggests_the_nearest_of_its_own_table(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "benchmark.toml").write_text(text)
    with pytest.raises(BadInput) as raised:
        benchmarks.read(tmp_path)
    assert said in str(raised.value)


def test_the_command_prints_the_schema_and_its_old_name_says_where_it_is(inside: Command) -> None:
    assert json.loads(inside("list", "--schema", "results").stdout) == schema_of("results")
    assert inside("list", "--schema", "benchmark", "--markdown").stdout == documents.tables("benchmark")
    wrong, old, alone = (
        inside("list", "--schema", "result"),
        inside("schema", "results"),
        inside("list", "--markdown"),
    )
    assert "did you mean results" in wrong.stderr
    assert "headrace list --schema results" in old.stderr and "--schema" in alone.stderr
    assert wrong.returncode == old.returncode == alone.returncode == 2


STEERING = "\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}"


def steering(value: Any) -> Any:
    """Add to each text of a document what steers a terminal, but to words that only some may stand for."""
    if isinstance(value, dict):
        words = ("compare", "metric", "outcome", "role", "sink", "source", "started", "verdict")
        return {key: each if key in words else steering(each) for key, each in value.items()}
    if isinstance(value, list):
        return [steering(each) for each in value]
    return f"{value}{STEERING}" if isinstance(value, str) else value


def test_no_text_of_a_file_steers_the_terminal(inside: Command, tmp_path: Path) -> None:
    document = campaign().model_dump(mode="json")
    source = f"int main() {{}}  // {STEERING}"
    (tmp_path / "good.json").write_text(json.dumps(document))
    document = steering(document)
    document["benchmarks"][0]["sources"] = {"a.cpp": source}
    (tmp_path / "evil.json").write_text(json.dumps(document))
    for words in (
        ["report", "evil.json", "--export-markdown", "evil.md"],
        ["compare", "evil.json", "good.json"],
        ["history", "add", "evil.json"],
        ["history", "list"],
        ["history", "show", store.load(tmp_path / "evil.json").rows[0].benchmark],
        ["export", "evil.json"],
    ):
        done = inside(*words)
        shown = done.stdout + done.stderr
        assert len(shown) > 30 and not set(STEERING) & set(shown) - set("[2J"), words
    assert not set(STEERING) & set((tmp_path / "evil.md").read_text()) - set("[2J")
    assert store.load(tmp_path / "evil.json").benchmarks[0].sources == {"a.cpp": source}  # as the file is
