"""Writes samples as Mocktail files and as the output of `curl -is`."""

from __future__ import annotations

import base64
import random
import re

from .model import Body, Exchange, Headers
from .samples import Sample


def mocktail(sample: Sample, rng: random.Random) -> tuple[bytes, list[Exchange]]:
    """A Mocktail file, and what it says."""
    methods = rng.choice([["GET"], ["POST"], ["GET", "POST"], ["PUT", "PATCH", "DELETE"]])
    url = rng.choice(["https://api.example.com/a.b?c=d", "http://127.0.0.1:8080/a(b)", "https://api.example.com/"])
    pattern, exact = rng.choice(
        [(re.escape(url), url), (f"^{re.escape(url)}$", url), (".*/users/[0-9]+", ".*/users/[0-9]+")]
    )
    kind = sample.body.headers[0][1]
    headers = [("Content-Type", kind)] + [pair for pair in _plain(sample.headers) if pair[0] != "Content-Type"]
    data, written = sample.body.decoded or b"", kind
    body = data
    if rng.random() < 0.3 or b"\0" in data:
        written, body = kind + ";base64", base64.encodebytes(data) if rng.random() < 0.5 else base64.b64encode(data)
    if rng.random() < 0.3:
        written = f"Content-Type: {written}"
    lines = ["|".join(methods), pattern, str(sample.status), written] + [
        f"{name}: {value}" for name, value in headers[1:]
    ]
    head = rng.choice(["\n", "\r\n"]).join(lines + ["", ""]).encode()
    truth = [Exchange(method, exact, [], None, sample.status, headers, Body((data,))) for method in methods]
    return head + body, truth


def _plain(headers: Headers) -> Headers:
    return [(name, value) for name, value in headers if name != "Content-Encoding" and value == value.strip()]


def curl(sample: Sample, rng: random.Random) -> tuple[bytes, list[Exchange]]:
    """The output of `curl -is`, perhaps with heads before the last one, and what it says."""
    end = rng.choice(["\r\n", "\r\n", "\n"])
    headers = [(name, value.strip()) for name, value in sample.headers]
    data = sample.body.sent
    if rng.random() < 0.5:
        headers.append(("Content-Length", str(len(data))))
    before = ""
    if rng.random() < 0.3:
        before += f"HTTP/1.1 100 Continue{end}{end}"
    if rng.random() < 0.3:
        before += f"HTTP/1.1 302 Found{end}Location: /next{end}Content-Length: 0{end}{end}"
    version = rng.choice(["HTTP/1.1", "HTTP/1.0", "HTTP/2"])
    lines = [f"{version} {sample.status}{rng.choice([' OK', ' ', ''])}"] + [
        f"{name}: {value}" for name, value in headers
    ]
    head = before + end.join(lines + ["", ""])
    truth = []
    if sample.body.decoded is not None:
        truth = [Exchange("GET", "", [], None, sample.status, headers, Body((sample.body.decoded,)))]
    return head.encode() + data, truth
