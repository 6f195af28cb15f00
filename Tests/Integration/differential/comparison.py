"""Compares what two readers read from one file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from .model import Body, Exchange, Headers, Recording, Refused
from .policies import POLICIES


@dataclass
class Verdict:
    """The result for one file, or for many files together."""

    # Interactions that the independent reader reads, or that both readers refuse.
    written: int = 0
    equal: int = 0
    # Interactions that both readers refuse.
    refused: int = 0
    # Interactions that only Rewind refuses, by the name of the policy.
    policies: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    def add(self, other: Verdict) -> None:
        self.written += other.written
        self.equal += other.equal
        self.refused += other.refused
        for name, count in other.policies.items():
            self.policies[name] = self.policies.get(name, 0) + count
        self.differences += other.differences


def compared(ours: Recording | Refused, theirs: Recording | Refused, plain: frozenset[int] = frozenset()) -> Verdict:
    """Compares the independent reading with Rewind's. Rewind must read the interactions at the plain positions."""
    verdict = Verdict(written=len(ours.exchanges) if isinstance(ours, Recording) else 0)
    if isinstance(theirs, Refused):
        _compare_refusal(ours, theirs, plain, verdict)
    elif isinstance(ours, Refused):
        verdict.differences.append(f"Rewind reads a file that must be refused: {ours}")
    elif ours.undetermined and not plain:
        _count_policies(ours.undetermined, verdict)
    elif len(ours.exchanges) != len(theirs.exchanges):
        verdict.differences.append(
            f"Rewind reads {len(theirs.exchanges)} interactions instead of {len(ours.exchanges)}"
        )
    else:
        for position, (expected, actual) in enumerate(zip(ours.exchanges, theirs.exchanges, strict=True)):
            _compare(expected, actual, position, position in plain, verdict)
    return verdict


def errors_of_reader(truth: dict[int, Exchange], count: int | None, ours: Recording | Refused) -> list[str]:
    """Compares the independent reading with what was written: a difference is an error of the test."""
    if isinstance(ours, Refused):
        return [f"error of the test: the independent reader refuses the file: {ours}"]
    if count is not None and len(ours.exchanges) != count:
        return [
            f"error of the test: the independent reader reads {len(ours.exchanges)} interactions instead of {count}"
        ]
    verdict = Verdict()
    for position, exchange in truth.items():
        _compare(exchange, ours.exchanges[position], position, True, verdict)
    return [f"error of the test: {difference}" for difference in verdict.differences]


def _compare_refusal(ours: Recording | Refused, theirs: Refused, plain: frozenset[int], verdict: Verdict) -> None:
    if isinstance(ours, Refused) and not plain:
        verdict.refused += 1
    elif isinstance(ours, Recording) and (ours.doubts or ours.undetermined) and not plain:
        _count_policies(ours.doubts | ours.undetermined, verdict)
    else:
        verdict.differences.append(f"Rewind refuses the file: {theirs}")


def _count_policies(doubts: set[str], verdict: Verdict) -> None:
    for name in doubts:
        assert name in POLICIES, f"no policy is named {name!r}"
        verdict.policies[name] = verdict.policies.get(name, 0) + 1


def _compare(expected: Exchange, actual: Exchange, position: int, is_plain: bool, verdict: Verdict) -> None:
    place = f"interaction {position + 1} ({expected.title()})"
    if actual.unusable is not None:
        if not actual.unusable.strip():
            verdict.differences.append(f"{place}: Rewind refuses it without a reason")
        elif expected.unusable is not None and not is_plain:
            verdict.refused += 1
        elif expected.doubts and not is_plain:
            _count_policies(expected.doubts, verdict)
        else:
            verdict.differences.append(f"{place}: Rewind refuses it: {actual.unusable}")
        differences = _request_differences(expected, actual, only_present=True)
        if actual.status is not None and expected.status is not None and not expected.doubts:
            differences += _head_differences(expected, actual)
    elif expected.unusable is not None and "content field twice" not in expected.doubts:
        verdict.differences.append(f"{place}: Rewind answers, but it must not: {expected.unusable}")
        differences = []
    else:
        differences = _request_differences(expected, actual) + _answer_differences(expected, actual)
        verdict.equal += not differences
    verdict.differences += [f"{place}: {difference}" for difference in differences]


def _request_differences(expected: Exchange, actual: Exchange, only_present: bool = False) -> list[str]:
    differences = []
    for name in ("method", "url"):
        wanted, found = getattr(expected, name), getattr(actual, name)
        if wanted != found and name not in expected.skipped and not (only_present and not wanted):
            differences.append(f"{name} {found!r} instead of {wanted!r}")
    if only_present:
        return differences
    differences += _headers("request headers", expected.request_headers, actual.request_headers, expected)
    if actual.request_body is not None or not expected.doubts:
        differences += _bodies("request body", expected.request_body, actual.request_body, expected)
    return differences


def _answer_differences(expected: Exchange, actual: Exchange) -> list[str]:
    differences = []
    if expected.failure != actual.failure:
        differences.append(f"failure {actual.failure} instead of {expected.failure}")
    differences += _head_differences(expected, actual)
    # The app does not get a text that is not an absolute URL.
    is_absolute = actual.response_url is None or bool(urlsplit(actual.response_url).netloc)
    if expected.response_url != actual.response_url and is_absolute and "response URL" not in expected.skipped:
        differences.append(f"URL of the response {actual.response_url!r} instead of {expected.response_url!r}")
    if expected.status is not None:
        differences += _bodies("body", expected.body, actual.body, expected)
    return differences


def _head_differences(expected: Exchange, actual: Exchange) -> list[str]:
    if expected.status != actual.status:
        return [f"status {actual.status} instead of {expected.status}"]
    return _headers("headers", expected.headers, actual.headers, expected)


def _headers(part: str, expected: Headers, actual: Headers, exchange: Exchange) -> list[str]:
    if part in exchange.skipped or expected == actual:
        return []
    if "content fields" in exchange.skipped:
        names = ("content-length", "content-encoding")
        expected = [item for item in expected if item[0].lower() not in names]
        actual = [item for item in actual if item[0].lower() not in names]
        if expected == actual:
            return []
    if "order" in exchange.skipped and sorted(expected) == sorted(actual):
        return []
    if {"header field twice", "content field twice"} & exchange.doubts and all(item in expected for item in actual):
        return []
    if "header field without a value" in exchange.doubts and _is_filled(expected, actual):
        return []
    missing = [item for item in expected if item not in actual]
    if "odd header field" in exchange.doubts and not missing:
        return []
    extra = [item for item in actual if item not in expected]
    return [f"{part}: missing {missing!r:.300}, added {extra!r:.300}" if missing or extra else f"{part}: order"]


def _is_filled(expected: Headers, actual: Headers) -> bool:
    """Whether the fields are equal, except that an empty value may be the spelling of null."""
    pairs = zip(expected, actual)
    return len(expected) == len(actual) and all(e == a or e == (a[0], "") for e, a in pairs)


def _bodies(part: str, expected: Body | None, actual: Body | None, exchange: Exchange) -> list[str]:
    if part in exchange.skipped or expected == actual or "content field twice" in exchange.doubts:
        return []
    if expected is None or actual is None:
        return [f"{part}: {actual} instead of {expected}"]
    if expected.is_value and actual.is_value and _normal(expected.value) == _normal(actual.value):
        return []
    if any(
        data in expected.choices or expected.is_value and _is_same_value(data, expected.value)
        for data in actual.choices
    ):
        return []
    return [f"{part}: {actual} instead of {expected}"]


def _is_same_value(data: bytes, value: Any) -> bool:
    try:
        return bool(_normal(json.loads(data, parse_float=Decimal)) == _normal(value))
    except ValueError:
        return False


def _normal(value: Any) -> Any:
    """A value in which Booleans differ from numbers, and numbers have no spelling."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, (int, float, Decimal)):
        return float(value)
    if isinstance(value, list):
        return [_normal(item) for item in value]
    if isinstance(value, dict):
        return {name: _normal(item) for name, item in value.items()}
    return value
