"""Writes samples as the JSON cassettes of vcrpy before its version 1."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import urlsplit

from .model import Body, Exchange
from .samples import Sample


def item(sample: Sample, rng: random.Random) -> tuple[Any, Exchange | None]:
    """An interaction, and what it says; None if it need not be readable."""
    parts = urlsplit(sample.url)
    path = sample.url.split("/", 3)[3] if sample.url.count("/") > 2 else ""
    host, default = (parts.netloc.rpartition("@")[2].rpartition(":"), {"https": 443, "http": 80}[parts.scheme])
    has_port = host[1] == ":" and host[2].isdigit()
    name, port = (host[0], int(host[2])) if has_port else (parts.netloc.rpartition("@")[2], default)
    shown = f"{parts.scheme}://{name}" + (f":{port}" if port != default else "") + f"/{path}"
    request: dict[str, Any] = {
        "method": sample.method,
        "protocol": parts.scheme,
        "host": name,
        "port": port,
        "path": f"/{path}",
    }
    request["headers"] = dict(sample.request_headers)
    request_body = None
    if sample.request_body is not None and sample.request_body.text:
        request["body"] = sample.request_body.text
        request_body = Body((sample.request_body.sent,))
    else:
        request["body"] = None
    headers = [(key, value) for key, value in sample.headers if value.isascii()]
    response = {
        "status": {"code": sample.status, "message": "OK"},
        "headers": [f"{key}: {value}\r\n" for key, value in headers],
        "body": {"string": ""},
    }
    document = {"request": request, "response": response}
    try:
        response["body"] = {"string": sample.body.sent.decode()}
    except UnicodeDecodeError:
        return document, None
    if sample.body.decoded is None:
        return document, None
    body = sample.body.sent if sample.body.text is not None else sample.body.decoded
    fields = [(key, value.strip()) for key, value in headers]
    return document, Exchange(
        sample.method,
        shown,
        list(dict(sample.request_headers).items()),
        request_body,
        sample.status,
        fields,
        Body((body,)),
    )
