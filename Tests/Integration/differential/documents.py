"""Random spellings of a document, and random changes of its values."""

from __future__ import annotations

import json
import random
import re
from typing import Any

# A name with this prefix is written without it: so a dictionary can hold one name twice.
TWIN = "\0"
ODD_VALUES: list[Any] = [
    None, 0, 1, -2, 200, 3.5, 1e400, "", "0", "200", "text", " 200 ", True, False, [], {}, [[]], ["a", "b"], [1],
    [None], {"a": "b"}, {"name": "a"}, "é", "base64", 10**30,
]  # fmt: skip


STATUSES: list[Any] = [-2, 0, None, "200", "200 OK", 200.0, 200.5, 99, 1000, "abc", True, [200], {"code": "404"}]
URLS = ["/relative?a=b", "", "data:text/plain,a", "no url", "HTTPS://API.EXAMPLE.COM/", None]


def json_text(value: Any, rng: random.Random) -> str:
    """A JSON text in a random layout."""
    layout = rng.choice([(None, ",", ":"), (None, ", ", ": "), (2, ",", ": "), (4, ",", " : "), ("\t", ",", ":")])
    writer = _Writer(rng, *layout, is_ascii=rng.random() < 0.4, slashes=rng.random() < 0.2)
    return writer.text(value, 0)


class _Writer:
    def __init__(self, rng: random.Random, indent: Any, comma: str, colon: str, is_ascii: bool, slashes: bool):
        self.rng, self.comma, self.colon, self.is_ascii, self.slashes = rng, comma, colon, is_ascii, slashes
        self.indent = " " * indent if isinstance(indent, int) else indent

    def text(self, value: Any, depth: int) -> str:
        if isinstance(value, dict):
            items = [
                f"{self._string(name.lstrip(TWIN))}{self.colon}{self.text(v, depth + 1)}" for name, v in value.items()
            ]
            return self._bracketed("{", items, "}", depth)
        if isinstance(value, list):
            return self._bracketed("[", [self.text(item, depth + 1) for item in value], "]", depth)
        if isinstance(value, str):
            return self._string(value)
        if value == 1e400:
            return "1e400"
        return json.dumps(value)

    def _string(self, value: str) -> str:
        text = json.dumps(value, ensure_ascii=self.is_ascii)
        return text.replace("/", "\\/") if self.slashes else text

    def _bracketed(self, start: str, items: list[str], end: str, depth: int) -> str:
        if not items or self.indent is None:
            return start + self.comma.join(items) + end
        line = "\n" + self.indent * (depth + 1)
        return start + line + (self.comma + line).join(items) + "\n" + self.indent * depth + end


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a document."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] + [place for key, child in children for place in places(child, path + (key,))]


def parent(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value


def changed(document: Any, rng: random.Random) -> str:
    """Changes one value in a document, and tells how."""
    path = rng.choice([place for place in places(document) if place])
    owner, key = parent(document, path), path[-1]
    change = rng.choice(["removed", "odd", "odd", "odd", "wrapped", "twin", "as text"])
    if change == "removed" or change == "twin" and not isinstance(owner, dict):
        del owner[key]
        change = "removed"
    elif change == "odd":
        owner[key] = rng.choice(ODD_VALUES)
        change = f"{owner[key]!r:.20}"
    elif change == "wrapped":
        owner[key] = [owner[key]]
    elif change == "as text":
        owner[key] = json.dumps(owner[key], default=repr)
    else:
        value, owner[key] = owner[key], rng.choice(ODD_VALUES)
        owner[TWIN + key] = value
    return f"{'.'.join(map(str, path)).replace(TWIN, '')}: {change}"


def spoiled_head(item: Any, rng: random.Random) -> str:
    """Changes the status, the header fields or the URL of an interaction, and tells how."""
    how = rng.choice(["status", "header fields", "header value", "url"])
    side = item[rng.choice(["request", "response"])]
    if how == "status":
        value: Any = rng.choice(STATUSES)
        response = item["response"]
        if isinstance(response.get("status"), dict) and rng.random() < 0.7:
            response["status"]["code"] = value
        else:
            response["status"] = value
        return f"status {value!r}"
    if how == "url":
        name = next(name for name in ("url", "uri", "host") if name in item["request"])
        item["request"][name] = rng.choice(URLS)
        return f"{name} {item['request'][name]!r}"
    fields = [("X-A", "1"), ("x-a", "2"), ("Content-Type", "text/plain")]
    if how == "header value":
        content: Any = rng.choice(
            [5, 1.50, True, None, ["a", "b"], [], [1, True], {"a": "b"}, [["a"]], "a\r\nb", "\u00ff"]
        )
        is_list = isinstance(side.get("headers"), list)
        side["headers"] = [{"name": "X-A", "value": content}] if is_list else {"X-A": content}
        return f"header value {content!r}"
    side["headers"] = rng.choice(
        [
            dict(fields),
            {name: [value] for name, value in fields},
            [list(pair) for pair in fields],
            [{"name": name, "value": value} for name, value in fields],
            [f"{name}: {value}" for name, value in fields],
            [{name: value} for name, value in fields],
            [{"name": name} for name, value in fields],
            [{"Name": name, "Value": value} for name, value in fields],
            "X-A: 1",
            [],
            {},
            None,
        ]
    )
    return f"header fields {str(side['headers']):.40}"


def shuffled(value: Any, rng: random.Random) -> Any:
    """The document with its members in another order, and with members that no format knows."""
    if isinstance(value, dict):
        names = list(value)
        rng.shuffle(names)
        result = {name: shuffled(value[name], rng) for name in names}
        if names and rng.random() < 0.2:
            result["_unknown"] = rng.choice(ODD_VALUES[:5] + [{"method": "x", "status": [1]}])
        return result
    return [shuffled(item, rng) for item in value] if isinstance(value, list) else value


def shuffled_members(value: Any, rng: random.Random) -> Any:
    """Like `shuffled`, but the header fields and the bodies stay."""
    result = shuffled(value, rng)
    for side in ("request", "response"):
        for name in ("headers", "body"):
            if isinstance(value.get(side), dict) and name in value[side] and isinstance(result[side], dict):
                result[side][name] = value[side][name]
    return result


def laid_out(text: str, rng: random.Random, *, final_newline: bool = True) -> bytes:
    """The bytes of a text, with random line ends, and perhaps a byte order mark."""
    text = text.rstrip("\n") + ("\n" if rng.random() < 0.7 and final_newline else "")
    end = rng.choice(["\n", "\n", "\n", "\r\n", "\r"])
    data = text.replace("\n", end).encode("utf-8", "surrogatepass")
    return (b"\xef\xbb\xbf" if rng.random() < 0.15 else b"") + data


def with_trailing_commas(text: str, rng: random.Random) -> str:
    """Adds a comma after some of the last elements, outside of strings."""
    pattern = re.compile(r'("(?:[^"\\]|\\.)*")|([^\s\[{,])(\s*)(?=[\]}])', re.DOTALL)

    def comma(match: re.Match[str]) -> str:
        if match.group(1) is not None:
            return match.group(0)
        return match.group(2) + ("," if rng.random() < 0.5 else "") + match.group(3)

    return pattern.sub(comma, text)
