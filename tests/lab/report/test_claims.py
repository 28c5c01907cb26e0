"""What a report says of recorded campaigns, sentence by sentence, against the numbers it is made from.

tests/data/campaigns/ holds real campaigns (machine names, paths and sources taken out): one beside
compilers and fuzzers, one that had no time, one of two rounds.
"""

from __future__ import annotations

import gzip
import math
import re
import string
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from statistics import median

import pytest

import synthetic
from checkout import TOP
from headrace.judge.table import compare, rejudged
from headrace.machine import noise
from headrace.report import conditions, prose, ranking, ratios, summary
from headrace.report.ranking import Group, Standing
from headrace.report.ratios import Ratio
from headrace.results.schema import Campaign, Role

FILES = sorted((TOP / "tests" / "data" / "campaigns").glob("*.json.gz"))
NUMBER = r"\d[\d,]*(?:\.\d+)?"
INTERVAL = rf"({NUMBER}) \[({NUMBER}), ({NUMBER})\]"
OF = r"`([^`]+)`(?: with ([^ ,:.]+(?:\.[^ ,:.]+)*))?"
NEAR = 0.006  # of a figure that is shown with three digits


def campaigns() -> Iterator[tuple[str, Campaign]]:
    for file in FILES:
        yield file.name, rejudged(Campaign.model_validate_json(gzip.decompress(file.read_bytes())))
    yield "synthetic", synthetic.read_ints()


CAMPAIGNS = dict(campaigns())
GROUPS = [(name, at) for name, campaign in CAMPAIGNS.items() for at in range(len(ranking.groups(campaign)))]


def group_of(name: str, at: int) -> tuple[Group, list[str]]:
    group = ranking.groups(CAMPAIGNS[name])[at]
    return group, summary.sentences(group, CAMPAIGNS[name])


def number(text: str) -> float:
    return float(text.replace(",", ""))


def rows_called(group: Group, label: str, toolchain: str | None) -> list[Standing]:
    return [
        one
        for one in group.measured
        if one.label == label and not one.row.twin_of and toolchain in (None, "", one.toolchain)
    ]


def test_there_are_campaigns_of_all_kinds() -> None:
    assert len(FILES) >= 3
    assert sum(bool(group_of(name, at)[0].leaders) for name, at in GROUPS) >= 3


@pytest.mark.parametrize(("name", "at"), GROUPS)
def test_who_is_said_to_be_first_is_first_in_the_table(name: str, at: int) -> None:
    group, said = group_of(name, at)
    first = {one.label for one in group.leaders}
    for sentence in said:
        if found := re.match(rf"{OF}(?: with .*?)? is fastest", sentence):
            assert first == {found[1]}, sentence
        elif "may each be the fastest" in sentence:
            head = sentence.split(" may each")[0]
            assert len(first) > 1, sentence
            named = set(re.findall(r"`([^`]+)`", head))
            assert named <= first, sentence
            more = re.search(r"and (\d+) more$", head)
            assert len(named) + (int(more[1]) if more else 0) in (len(first), len(group.leaders)), sentence
    if not group.leaders:
        assert not any("fastest" in one for one in said if "Your" not in one)
    short = summary.verdict(group, CAMPAIGNS[name])
    if " is fastest" in short:
        assert len(first) == 1 and f"`{next(iter(first))}` is fastest" in short


@pytest.mark.parametrize(("name", "at"), GROUPS)
def test_who_is_next_is_certainly_slower_than_the_first(name: str, at: int) -> None:
    group, said = group_of(name, at)
    for sentence in said:
        if found := re.search(rf"; next is {OF}, {INTERVAL} times as long", sentence):
            assert found[1] not in {one.label for one in group.leaders}, sentence
            assert number(found[4]) > 1, sentence


@pytest.mark.parametrize(("name", "at"), GROUPS)
def test_who_is_next_shares_its_places_with_those_it_is_not_told_apart_from(name: str, at: int) -> None:
    group, said = group_of(name, at)
    for sentence in said:
        if found := re.search(r"; next is `([^`]+)`.*, not told apart from (.*)\.$", sentence):
            tied = re.findall(r"`([^`]+)`", found[2])
            assert tied and found[1] not in tied, sentence
            for other in tied:
                pairs = [
                    (a, b)
                    for a in rows_called(group, found[1], None)
                    for b in rows_called(group, other, None)
                ]
                assert any(a.rank <= b.last and b.rank <= a.last for a, b in pairs), sentence
                assert any((pair := compare(a.row, b.row)) and pair.low <= 0 <= pair.high for a, b in pairs)


def test_a_busy_campaign_says_who_is_as_likely_next() -> None:
    assert "not told apart from" in summary.verdict(group_of("busy.json.gz", 0)[0], CAMPAIGNS["busy.json.gz"])


@pytest.mark.parametrize(("name", "at"), GROUPS)
def test_ratios_in_sentences_are_those_of_the_rounds_and_fit_their_words(name: str, at: int) -> None:
    group, said = group_of(name, at)
    for sentence in said:
        for found in re.finditer(
            rf"{OF} takes {INTERVAL} times as long as (?:the \w+, )?{OF}(.{{0,40}})", sentence
        ):
            ones, others = rows_called(group, found[1], found[2]), rows_called(group, found[6], found[7])
            pairs = [compare(a.row, b.row) for a in ones for b in others if a is not b]
            ratios = [pair.ratio for pair in pairs if pair is not None]
            assert any(abs(math.log(one / number(found[3]))) < NEAR for one in ratios), sentence
            holds_one = number(found[4]) <= 1 <= number(found[5])
            if found[8].startswith(", not decided"):
                assert holds_one, sentence
            if found[8].startswith((", slower", ", faster")):
                assert not holds_one, sentence
        for fast in re.finditer(
            rf"({NUMBER}) times as fast \[({NUMBER}), ({NUMBER})\] as {OF}, the baseline", sentence
        ):
            assert number(fast[2]) > 1, sentence
            assert any(
                one.to_baseline and abs(math.log(number(fast[1]) * one.to_baseline.value)) < NEAR
                for one in group.leaders
            ), sentence
        if found := re.search(rf"(?:at most ({NUMBER}) %|less than ({NUMBER}) times) apart", sentence):
            far = 1 + number(found[1]) / 100 if found[1] else number(found[2])
            times = [one.spread.median for one in group.leaders if one.spread]
            assert max(times) / min(times) < far * far, sentence
        for slow in re.finditer(rf"{INTERVAL} times as long as {OF}, the baseline: not decided", sentence):
            assert number(slow[2]) <= 1 <= number(slow[3]), sentence


@pytest.mark.parametrize(("name", "at"), GROUPS)
def test_what_is_not_decided_is_bounded_by_its_intervals(name: str, at: int) -> None:
    group, said = group_of(name, at)
    for sentence in said:
        spans = re.findall(INTERVAL, sentence)
        if spans and (found := re.search(r"(saves|costs) at most .*?: not decided(.*)", sentence)):
            assert all(number(low) <= 1 <= number(high) for _, low, high in spans), sentence
            narrow = all(number(high) <= 1.26 * number(low) for _, low, high in spans)
            assert narrow or "would decide it" in found[2], sentence
        if re.search(r"makes it .+? times as (fast|long)", sentence) and spans:
            assert all(not number(low) <= 1 <= number(high) for _, low, high in spans), sentence


@pytest.mark.parametrize(("name", "at"), GROUPS)
def test_what_several_toolchains_share_spans_their_ratios(name: str, at: int) -> None:
    """ "Makes it 1.53 to 1.77 times as fast" is said of ratios from 0.565 to 0.656."""
    _, said = group_of(name, at)
    for sentence in said:
        words = rf"makes it (take )?({NUMBER}) to ({NUMBER}) times as .*: ({NUMBER}) to ({NUMBER})\)"
        if found := re.search(words, sentence):
            low, high, least, most = map(number, found.groups()[1:])
            spanned = (least, most) if found[1] else (1 / most, 1 / least)
            assert abs(math.log(low / spanned[0])) < NEAR and abs(math.log(high / spanned[1])) < NEAR, (
                sentence
            )


@pytest.mark.parametrize(("name", "at"), GROUPS)
def test_predictions_stay_within_what_a_race_reaches(name: str, at: int) -> None:
    _, said = group_of(name, at)
    for sentence in said:
        for found in re.finditer(r"about ([\d,]+) more rounds?", sentence):
            assert 1 <= number(found[1]) <= 160, sentence
        assert "nan" not in sentence and "inf" not in re.split(r"\W+", sentence)


@pytest.mark.parametrize(("name", "at"), GROUPS)
def test_places_and_verdicts_agree(name: str, at: int) -> None:
    """Rows built alike whose places do not overlap: their pair does not say the opposite. Verdicts fit."""
    group, _ = group_of(name, at)
    placed = [one for one in group.ranked if one.rank]
    for one in placed:
        for other in placed:
            if one.toolchain != other.toolchain or one.last >= other.rank:
                continue
            if (pair := compare(one.row, other.row)) is not None:
                assert pair.low <= 0, f"{one.row.id} is before {other.row.id}"
    for one in group.measured:
        for found in one.row.comparisons:
            assert found.low > 0 and found.high is not None, found  # an interval has two ends
            low, high = math.log(found.low), math.log(found.high)
            if found.verdict in ("faster", "slower", "a small difference"):
                assert low > 0 or high < 0, found
            if found.verdict == "the same":
                assert low <= 0 <= high and max(-low, high) <= math.log1p(found.margin) + 1e-9, found
            if found.verdict == "not decided":
                assert low <= 0 <= high, found


CLAIMS: list[tuple[str, Callable[[Campaign], bool]]] = [
    (
        "The machine was steady",
        lambda one: (found := noise.disturbance(one.rows)) is not None and found.share < 0.05,
    ),
    ("ready to run while others had", lambda one: noise.waiting(one.rows) > noise.WAITED),
    ("They came from inside", lambda one: median(round.foreign for round in one.noise) > noise.FOREIGN),
    ("Other programs kept", lambda one: median(round.foreign for round in one.noise) > noise.FOREIGN),
    ("The hypervisor took", lambda one: median(round.stolen for round in one.noise) > noise.STOLEN),
    ("The campaign was interrupted", lambda one: one.interrupted),
    ("Each build ran in one layout", lambda one: not any(s.layout for row in one.rows for s in row.samples)),
    ("The layout alone", lambda one: len({s.layout for row in one.rows for s in row.samples}) > 1),
]
APART = [
    ("The machine was steady", "They came from"),
    ("They came from inside", "They came from outside"),
    ("The machine was steady", "Other programs kept"),
    ("used little", "Other programs kept"),
    ("Each build ran in one layout", "The layout alone"),
]


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_what_is_said_of_the_machine_is_so_and_no_two_sentences_contradict(name: str) -> None:
    campaign = CAMPAIGNS[name]
    said = [*conditions.sentences(campaign), *campaign.warnings]
    for opening, is_so in CLAIMS:
        if any(one.startswith(opening) for one in said):
            assert is_so(campaign), opening
    for one, other in APART:
        assert not (any(one in text for text in said) and any(other in text for text in said)), (one, other)
    assert len(set(said)) == len(said)  # nothing is said twice
    for sentence in said:
        if found := re.search(rf"one build against itself, has the ratio {INTERVAL}", sentence):
            twins = [r for r in campaign.rows if r.twin_of and r.samples]
            originals = {r.id: r for r in campaign.rows}
            pairs = [compare(r, originals[r.twin_of]) for r in twins]
            assert any(
                pair is not None and abs(math.log(pair.ratio / number(found[1]))) < NEAR for pair in pairs
            ), sentence


def test_every_template_is_said_somewhere_and_knows_its_forms() -> None:
    room = Path(prose.__file__).parent
    code = "".join(file.read_text(encoding="utf-8") for file in room.glob("*.py"))
    said = set(re.findall(r"[\"']([a-z][a-z0-9-]+)[\"']", code))
    said |= {
        f"{kind}-{word}"
        for kind, word in product(
            ("against", "sides", "role"), {*said, *(role.name.lower() for role in Role)}
        )
    }
    assert set(prose.sentences()) <= said
    for key, template in prose.sentences().items():
        for _, field, form, _ in string.Formatter().parse(template):
            assert field is None or form in prose.FORMS or (form or "?")[0] in "?#", (key, field, form)


def test_a_form_writes_each_kind_of_value_one_way() -> None:
    ratio = Ratio(0.5, 0.4, 0.6, "faster")
    values = {"time": 0.0241, "percent": 0.013, "percents": [0.02, 0.013], "ratio": ratio, "and": ["a", "b"]}
    told = {form: prose.FORMS[form](value) for form, value in values.items()}
    assert told == {
        "time": "24.1 ms",
        "percent": "1.3 %",
        "percents": "1.3 % to 2.0 %",
        "ratio": "0.500 [0.400, 0.600]",
        "and": "a and b",
    }
    assert prose.say("tokens", tokens=1) == " (1 token)" and prose.say("tokens", tokens=12) == " (12 tokens)"


@pytest.mark.parametrize(("name", "at"), GROUPS)
def test_the_lead_over_the_next_is_of_the_tables_rows_or_names_whose_it_is(name: str, at: int) -> None:
    group, said = group_of(name, at)
    for sentence in said:
        found = re.search(
            r"(?:^|, )`([^`]+)` (?:is fastest|takes).*; next is `([^`]+)`, (\S+ \[.*?\]) times", sentence
        )
        if found:
            named = re.search(r" times as long, both with (\S+?)[.,;]?(?: |$)", sentence)
            rows = [one for one in group.measured if one.toolchain == named[1]] if named else group.lines
            first, after = (
                next(one for one in rows if one.label == label and not one.row.twin_of)
                for label in found.groups()[:2]
            )
            between = ratios.between(after.row, first.row)
            assert between is not None and between.text == found[3], sentence


def test_a_lead_of_other_builds_than_the_tables_is_said_somewhere() -> None:
    told = " ".join(sentence for name, at in GROUPS for sentence in group_of(name, at)[1])
    assert re.search(r"; next is `[^`]+`, \S+ \[.*?\] times as long, both with ", told)
    assert re.search(r"; next is `[^`]+`, \S+ \[.*?\] times as long[.,;]", told)
