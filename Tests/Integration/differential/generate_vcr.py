"""Writes samples as the cassettes of VCR (Ruby), betamax, vcrpy, go-vcr and vcr (R)."""

from __future__ import annotations

import base64
import random
import zlib
from dataclasses import dataclass, replace
from typing import Any

from .model import Body, Exchange, Headers
from .samples import BodySample, Sample


@dataclass(frozen=True)
class Tool:
    """How a tool writes an interaction."""

    name: str
    # The member of the root for the interactions, and those before and after it.
    list_name: str
    before: tuple[tuple[str, Any], ...] = ()
    after: tuple[tuple[str, Any], ...] = ()
    url_name: str = "uri"
    # "object": {code, message}; "line": a status line and a code.
    status: str = "object"
    # "number": the code alone.
    # "bytes": {string: bytes}; "named": {encoding, string}; "base64": {encoding, base64_string};
    # "plain": text; "raw": zlib in base64; "string": {string}.
    bodies: tuple[str, ...] = ("bytes",)
    lower_methods: bool = False
    single_headers: bool = False
    is_yaml: bool = True


RUBY = Tool(
    "ruby",
    "http_interactions",
    after=(("recorded_with", "VCR 6.1.0"),),
    bodies=("named", "base64"),
    lower_methods=True,
)
VCRPY = Tool("vcrpy", "interactions", after=(("version", 1),))
R = replace(RUBY, name="r", after=(("recorded_with", "vcr/1.2.0"),), bodies=("r", "base64"), single_headers=True)
GO = Tool("go-1", "interactions", before=(("version", 1),), url_name="url", status="line", bodies=("plain",))
TOOLS = {
    tool.name: tool
    for tool in [
        VCRPY,
        replace(VCRPY, name="vcrpy-json", before=VCRPY.after, after=(), is_yaml=False),
        RUBY,
        replace(RUBY, name="ruby-json", is_yaml=False),
        replace(
            RUBY,
            name="betamax",
            after=(("recorded_with", "betamax/0.8.1"),),
            lower_methods=False,
            is_yaml=False,
        ),
        R,
        replace(R, name="r-2", after=(("recorded_with", "VCR-vcr/2.0.0"),), bodies=("raw", "string"), status="number"),
        GO,
        replace(GO, name="go-2", before=(("version", 2),)),
    ]
}


def document(tool: Tool, items: list[Any]) -> dict[str, Any]:
    return {**dict(tool.before), tool.list_name: items, **dict(tool.after)}


def interaction(tool: Tool, sample: Sample, rng: random.Random) -> tuple[Any, Exchange | None]:
    """An interaction, and what it says; None if it need not be readable."""
    request_body = sample.request_body
    request: dict[str, Any] = {
        "method": sample.method.lower() if tool.lower_methods else sample.method,
        tool.url_name: sample.url,
        "headers": _headers(tool, sample.request_headers),
    }
    request["body"] = _request_body(tool, request_body, rng)
    headers = _headers(tool, sample.headers)
    response: dict[str, Any] = {"headers": headers}
    if tool.status == "object":
        response["status"] = {"code": sample.status, "message": "OK"}
    elif tool.status == "number":
        response["status"] = sample.status
    else:
        if tool.name == "go-2":
            request |= {"proto": "HTTP/1.1", "host": "", "form": {}, "trailer": {}}
            response |= {"proto": "HTTP/2.0", "trailer": {}, "uncompressed": rng.random() < 0.5}
        response |= {"status": f"{sample.status} OK", "code": sample.status, "duration": "12.5ms"}
    body, bytes_ = _response_body(tool, sample.body, rng)
    response["body"] = body
    item: dict[str, Any] = {"request": request, "response": response}
    if tool.name.startswith("ruby"):
        item["recorded_at"] = "Sun, 22 Nov 2026 10:00:00 GMT"
    if bytes_ is None:
        return item, None
    sent = Body((request_body.sent,)) if request_body and request_body.sent else None
    truth = Exchange(
        sample.method,
        sample.url,
        _read(tool, sample.request_headers),
        sent,
        sample.status,
        _read(tool, sample.headers),
        bytes_,
    )
    return item, truth


def _grouped(headers: Headers) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, value in headers:
        groups.setdefault(name, []).append(value)
    return groups


def _headers(tool: Tool, headers: Headers) -> dict[str, Any]:
    groups = _grouped(headers)
    if tool.single_headers:
        return {name: values[0] if len(values) == 1 else values for name, values in groups.items()}
    return dict(groups)


def _read(tool: Tool, headers: Headers) -> Headers:
    return [(name, value) for name, values in _grouped(headers).items() for value in values]


def _text(body: BodySample) -> str | None:
    try:
        return body.sent.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _request_body(tool: Tool, body: BodySample | None, rng: random.Random) -> Any:
    if tool.bodies == ("bytes",):
        return None if body is None else body.text
    if tool.bodies == ("plain",):
        return "" if body is None else body.text
    if tool.bodies == ("raw", "string"):
        return None if body is None else {"string": body.text}
    text = "" if body is None else body.text
    if rng.random() < 0.1 and body is not None:
        return {"encoding": "UTF-8", "base64_string": base64.b64encode(body.sent).decode()}
    return {"encoding": "UTF-8" if text else "US-ASCII", "string": text}


def _response_body(tool: Tool, body: BodySample, rng: random.Random) -> tuple[Any, Body | None]:
    truth = None if body.decoded is None else Body((body.sent if body.text is not None else body.decoded,))
    text, spelling = _text(body), rng.choice(tool.bodies)
    if spelling == "plain":
        return (text if text is not None else body.sent), truth
    if spelling == "bytes":
        if text is None and not tool.is_yaml:
            # vcrpy cannot write bytes as JSON.
            return {"string": "not text"}, None
        return {"string": text if text is not None else body.sent}, truth
    if spelling == "string" and text is not None:
        return {"string": text}, truth
    if spelling in ("raw", "string"):
        # memCompress of R writes the zlib format.
        return {"raw_gzip": _wrapped(zlib.compress(body.sent), 80)}, truth
    if spelling == "base64" or text is None:
        encoded = _wrapped(body.sent, 60) + "\n" if rng.random() < 0.3 else base64.b64encode(body.sent).decode()
        return {"encoding": "ASCII-8BIT", "base64_string": encoded}, truth
    if spelling == "r":
        return {"encoding": "", "file": False, "string": text}, truth
    if body.name.startswith("character set iso-8859-") and rng.random() < 0.5:
        # The text is converted to UTF-8 for the file, and back when it is read.
        name = body.name.removeprefix("character set ")
        return {"encoding": name.upper(), "string": body.text}, Body((body.sent,))
    return {"encoding": rng.choice(["UTF-8", "UTF-8", "ASCII-8BIT", None]), "string": text}, truth


def _wrapped(data: bytes, width: int) -> str:
    text = base64.b64encode(data).decode()
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def spoiled_text(item: Any, rng: random.Random) -> str:
    """Spoils the encoding of a body, and tells how."""
    message = item[rng.choice(["request", "response", "response"])]
    how = rng.choice(["base64", "encoding", "no body", "parsed body", "empty object", "null", "text"])
    if how == "base64":
        message["body"] = {
            "encoding": "UTF-8",
            "base64_string": rng.choice(["YQ", "!!!!", "YQ==\u00e9", "Y", "", "-_-_"]),
        }
    elif how == "encoding":
        message["body"] = {"encoding": rng.choice(["x", 5, "UTF-16", "KOI8-R", "ISO-8859-1"]), "string": "é日"}
    elif how == "no body":
        message.pop("body", None)
    elif how == "parsed body":
        message.pop("body", None)
        message["parsed_body"] = rng.choice([{"a": [1, "b", None, True]}, [], [1.5], "text"])
    elif how == "empty object":
        message["body"] = rng.choice([{}, {"encoding": "UTF-8"}, {"string": None}])
    elif how == "null":
        message["body"] = None
    else:
        message["body"] = "a text without an object"
    return f"body {how}"
