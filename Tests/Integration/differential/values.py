"""JSON documents and the scalar values in them, read leniently where the meaning is clear."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from .model import Headers, Refused

MAXIMUM_DEPTH = 128


class Spelled(Decimal):
    """A number with a fraction or an exponent, and its spelling."""

    spelling: str

    def __new__(cls, spelling: str) -> Spelled:
        number = super().__new__(cls, spelling)
        number.spelling = spelling
        return number

    def __str__(self) -> str:
        return self.spelling


class Members(dict[str, Any]):
    """The members of an object: the last of a name counts, but header fields may repeat a name."""

    def __init__(self, pairs: list[tuple[str, Any]]):
        super().__init__(pairs)
        self.pairs = pairs


def document(data: bytes, *, trailing_commas: bool = False) -> Any:
    """Parses a JSON text in UTF-8; raises Refused."""
    try:
        text = data.decode("utf-8-sig")
        if trailing_commas:
            text = without_trailing_commas(text)
        value = json.loads(text, parse_float=Spelled, parse_constant=_constant, object_pairs_hook=Members)
    except (ValueError, RecursionError) as error:
        raise Refused(f"no JSON: {error}") from None
    if _depth(value) > MAXIMUM_DEPTH:
        raise Refused("the JSON is nested too deeply")
    return value


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def without_trailing_commas(text: str) -> str:
    """Removes commas before a closing bracket, outside of strings."""
    pattern = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])', re.DOTALL)
    return pattern.sub(lambda match: match.group(1) or "", text)


def _depth(value: Any) -> int:
    """The nesting, counted without recursion."""
    deepest, rest = 0, [(value, 1)]
    while rest:
        item, level = rest.pop()
        children = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        if isinstance(item, (dict, list)):
            deepest = max(deepest, level)
        rest.extend((child, level + 1) for child in children)
    return deepest


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def text(value: Any, doubts: set[str]) -> str | None:
    """The text of a string, and of a number or a Boolean as it is written; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        doubts.add("odd type")
        return "true" if value else "false"
    if is_number(value):
        doubts.add("odd type")
        return str(value)
    return None


def status(value: Any, doubts: set[str]) -> int | None:
    """A status from 100 to 999; None for anything else."""
    if isinstance(value, str):
        match = re.match(r"([0-9]{3})( |$)", value.strip())
        if not match:
            return None
        if len(value) != 3:
            doubts.add("odd type")
        number = int(match.group(1))
    elif is_number(value) and abs(value) < 1000:
        if not isinstance(value, int):
            doubts.add("odd type")
        number = int(value)
    else:
        return None
    return number if 100 <= number <= 999 else None


def scalar_values(value: Any, doubts: set[str]) -> list[str] | None:
    """The values of a header field: one, or one for each element of a list; None if they are not scalars."""
    if isinstance(value, list):
        if None in value:
            doubts.add("header field without a value")
        values = ["" if item is None else text(item, doubts) for item in value]
        return None if None in values else [item for item in values if item is not None]
    if value is None:
        doubts.add("header field without a value")
        return [""]
    single = text(value, doubts)
    return None if single is None else [single]


def split_cookies(value: str) -> list[str]:
    """Cookies that a dictionary of header fields joined with commas: a comma that begins `name=` ends a cookie."""
    return [part.strip() for part in re.split(r",(?=\s*[!#$%&'*+\-.^_`|~0-9A-Za-z]+=)", value)]


def other_url(url: Any, requested: str) -> str | None:
    """The URL of a response, if it is another one than that of the request: fragments are not sent."""
    def sent(text: str) -> str:
        parts = urlsplit(text)
        return parts._replace(fragment="", path=parts.path or "/").geturl()

    if not isinstance(url, str) or not urlsplit(url).netloc or sent(url) == sent(requested):
        return None
    return url


def dictionary_headers(value: Any, doubts: set[str]) -> Headers | None:
    """Header fields of an object whose values are strings or lists, without odd ones; None if it is something else."""
    if value is None or value == [] or value == {}:
        return []
    if not isinstance(value, dict):
        return None
    headers: Headers = []
    if isinstance(value, Members) and len(value.pairs) > len(value):
        names = [name for name, _ in value.pairs]
        twins = {name.lower() for name in names if names.count(name) > 1}
        doubts.add("content field twice" if twins & {"content-type", "content-encoding"} else "header field twice")
    for name, content in value.pairs if isinstance(value, Members) else value.items():
        values = scalar_values(content, doubts)
        if values is None:
            doubts.add("odd header field")
            continue
        if isinstance(content, str) and name.lower() == "set-cookie":
            values = split_cookies(content)
        headers += [(name, item) for item in values]
    return headers
