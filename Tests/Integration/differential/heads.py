"""Reads Mocktail files and the output of `curl -is`: a head of lines, an empty line and a body."""

from __future__ import annotations

import re

from . import contents, values
from .model import Body, Exchange, Headers, Recording, Refused, Unusable

METHODS = re.compile(r"[A-Z|()*.+?^$\[\]]+")


def is_curl(data: bytes) -> bool:
    return data.startswith(b"HTTP/")


def is_mocktail(data: bytes) -> bool:
    lines = re.split(rb"\r\n|\n|\r", data[: 1 << 16])[:3]
    if len(lines) < 3:
        return False
    method, url, status = (line.decode("utf-8", "replace") for line in lines)
    return bool(METHODS.fullmatch(method) and url and " " not in url and re.fullmatch(r"\s*[1-9][0-9]{2}\s*", status))


class Lines:
    """The lines of a head; what remains is the body."""

    def __init__(self, data: bytes):
        self.rest = data

    def next(self) -> str:
        match = re.search(rb"\r?\n", self.rest)
        if match is None:
            raise Refused("the head has no end")
        line, self.rest = self.rest[: match.start()], self.rest[match.end() :]
        return line.decode("utf-8", "replace")

    def fields(self) -> Headers:
        headers: Headers = []
        while line := self.next():
            headers.append(self.field(line))
        return headers

    @staticmethod
    def field(line: str) -> tuple[str, str]:
        name, colon, value = line.partition(":")
        if not colon or not name:
            raise Refused(f"{line!r} is no header field")
        return name, value.strip(" \t")


def mocktail_recording(data: bytes) -> Recording:
    lines = Lines(data)
    methods, pattern, status_line = lines.next(), lines.next(), lines.next()
    status = values.status(status_line, set())
    if status is None:
        raise Refused("there is no status")
    kind = lines.next()
    if not kind:
        raise Refused("there is no media type")
    headers = [Lines.field(kind)] if ":" in kind else [("Content-Type", kind.strip())]
    headers += lines.fields()
    exchange = Exchange(url=_literal(pattern), status=status, headers=headers, body=Body((lines.rest,)))
    media = contents.header(headers, "content-type") or ""
    if media.endswith(";base64"):
        plain = media.removesuffix(";base64").strip()
        exchange.headers = [(name, plain if name.lower() == "content-type" else value) for name, value in headers]
        try:
            exchange.body = Body((contents.base64_bytes(lines.rest.decode("utf-8", "replace"), exchange.doubts),))
        except Unusable as reason:
            exchange.unusable = str(reason)
    names = [_literal(name) for name in methods.split("|") if name]
    if not names or not all(name.isalpha() for name in names):
        names = [methods]
    return Recording("Mocktail", [_with_method(exchange, name) for name in names])


def _with_method(exchange: Exchange, method: str) -> Exchange:
    return Exchange(
        method=method, url=exchange.url, status=exchange.status, headers=exchange.headers, body=exchange.body,
        unusable=exchange.unusable,
        doubts=set(exchange.doubts),
    )  # fmt: skip


def _literal(pattern: str) -> str:
    """The only text that a regular expression matches; the expression itself if it matches several."""
    inner = pattern.removeprefix("^")
    inner = inner[:-1] if inner.endswith("$") and not inner.endswith("\\$") else inner
    if not re.fullmatch(r"(?:[^\\*+\[\](){}|^$]|\\[^a-zA-Z0-9])*", inner):
        return pattern
    return re.sub(r"\\(.)", r"\1", inner)


def curl_recording(data: bytes) -> Recording:
    """The last response; the heads before it have no body."""
    lines, doubts = Lines(data), set()
    while True:
        match = re.fullmatch(r"HTTP/[0-9.]+ ([1-9][0-9]{2})( .*)?", lines.next())
        if not match:
            raise Refused("there is no status line")
        status, headers = int(match.group(1)), lines.fields()
        if not re.match(rb"HTTP/[0-9.]+ [1-9][0-9]{2}( |\r?\n)", lines.rest):
            break
        if status >= 200 and not (300 < status < 400 and contents.header(headers, "location")):
            # The body may be such an output itself.
            doubts.add("head in a body")
            break
    length = contents.header(headers, "content-length")
    if length and length.isdigit() and not contents.codings(headers) and status not in (204, 304):
        if len(lines.rest) < int(length):
            raise Refused("the body is shorter than its Content-Length")
    exchange = Exchange(method="GET", status=status, headers=headers, doubts=doubts)
    try:
        exchange.body = Body((contents.decoded(lines.rest, headers, exchange.doubts),))
    except Unusable as reason:
        exchange.unusable = str(reason)
    return Recording("curl -is output", [exchange])
