"""Writes samples as the property lists of BeKindRewind and JSZVCR."""

from __future__ import annotations

import datetime
import plistlib
import random
import re
from typing import Any

from .documents import TWIN
from .generate_seeds import _joined, _split
from .model import Body, Exchange
from .samples import Sample

START = 1455236960.0


def is_writable(sample: Sample) -> bool:
    """Whether XML can represent the fields."""
    return sample.body.decoded is not None


def scene(sample: Sample, number: int, rng: random.Random) -> tuple[Any, list[Exchange]]:
    """A scene of BeKindRewind, and what it says."""
    time = START + number * 10
    frames: list[dict[str, Any]] = []

    def add(kind: str, **members: Any) -> None:
        nonlocal time
        time += 0.25
        frames.append({"class": kind, "creationDate": time, "uniqueIdentifier": f"task-{number}", **members})

    request_headers, headers = _joined(sample.request_headers), _joined(sample.headers)
    request: dict[str, Any] = {"URL": sample.url, "HTTPMethod": sample.method}
    request_body = None
    if sample.request_body is not None:
        request["HTTPBody"] = sample.request_body.sent
        request_body = Body((sample.request_body.sent,))
    add("BKROriginalRequestFrame", **request, allHTTPHeaderFields=request_headers, timeoutInterval=60.0)
    exchanges = []
    url = sample.url
    for hop in range(rng.choice([0, 0, 0, 1, 2])):
        next_url = f"https://api.example.com/hop/{hop}"
        redirect = {
            "class": "BKRResponseFrame",
            "URL": url,
            "statusCode": 302,
            "allHeaderFields": {"Location": next_url},
        }
        next_request = {"class": "BKRRequestFrame", "URL": next_url, "HTTPMethod": "GET"}
        add("BKRRedirectFrame", response=redirect, request=next_request)
        add("BKRCurrentRequestFrame", URL=next_url, HTTPMethod="GET")
        method, body = (sample.method, request_body) if hop == 0 else ("GET", None)
        exchanges.append(Exchange(method, url, [], body, 302, [("Location", next_url)], Body((b"",))))
        url = next_url
    data = sample.body.decoded or b""
    response = {"URL": url, "statusCode": sample.status, "allHeaderFields": headers, "MIMEType": "text/plain"}
    add("BKRResponseFrame", **response)
    if rng.random() < 0.2:
        # The first piece and the response can occur twice.
        add("BKRDataFrame", data=data[:5])
        add("BKRResponseFrame", **response)
    cut = rng.randrange(len(data) + 1)
    for piece in [data[:cut], data[cut:]] if rng.random() < 0.5 else [data]:
        add("BKRDataFrame", data=piece)
    method, body = (sample.method, request_body) if not exchanges else ("GET", None)
    exchanges.append(Exchange(method, url, [], body, sample.status, _split(headers), Body((data,))))
    if rng.random() < 0.1:
        add("BKRErrorFrame", domain="NSURLErrorDomain", code=-1001, userInfo={"NSLocalizedDescription": "late"})
        exchanges[-1].failure = ("NSURLErrorDomain", -1001)
    for exchange in exchanges:
        exchange.skipped.add("request headers")
    if rng.random() < 0.2:
        rng.shuffle(frames)
    return {"uniqueIdentifier": f"task-{number}", "frames": frames}, exchanges


def bkr_document(scenes: list[Any]) -> Any:
    return {"version": "0.9.6", "creationDate": datetime.datetime(2016, 2, 12), "scenes": scenes}


def jszvcr_item(sample: Sample, rng: random.Random) -> tuple[Any, Exchange | None]:
    """A recording of JSZVCR, and what it says."""
    request: dict[str, Any] = {"URL": sample.url, "HTTPMethod": sample.method}
    request_body = None
    if sample.request_body is not None:
        request["HTTPBody"] = sample.request_body.sent
        request_body = Body((sample.request_body.sent,))
    headers = _joined(sample.headers)
    current = request | {"allHTTPHeaderFields": _joined(sample.request_headers)}
    data = sample.body.decoded or b""
    item: dict[str, Any] = {
        "request": {"currentRequest": current, "originalRequest": request},
        "response": {"response": {"URL": sample.url, "statusCode": sample.status, "allHeaderFields": headers}},
        "data": {"data": data},
        "cancelled": False,
    }
    truth = Exchange(
        sample.method,
        sample.url,
        [],
        request_body,
        sample.status,
        _split(headers),
        Body((data,)),
        skipped={"request headers"},
    )
    if rng.random() < 0.1:
        item["error"] = {"domain": "NSURLErrorDomain", "code": -1009, "description": "offline"}
        del item["response"], item["data"]
        truth.failure, truth.status, truth.headers, truth.body = ("NSURLErrorDomain", -1009), None, [], None
    return item, truth


def text(document: Any, rng: random.Random) -> str:
    """An XML property list in a random layout."""
    result = plistlib.dumps(_clean(document), sort_keys=False).decode()
    if rng.random() < 0.3:
        # No white space between the elements.
        result = re.sub(r">\s+<(?=[/a-z])", "><", result)
    if rng.random() < 0.1:
        result = re.sub(r"<!DOCTYPE.*?>", "", result, flags=re.DOTALL)
    return result


# The characters that XML cannot represent.
FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _clean(value: Any) -> Any:
    """The value without what a property list cannot contain."""
    if isinstance(value, dict):
        return {name.lstrip(TWIN): _clean(item) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_clean(item) for item in value if item is not None]
    if isinstance(value, str):
        return FORBIDDEN.sub("", value)
    if isinstance(value, int) and not isinstance(value, bool) and not -(1 << 63) <= value < 1 << 63:
        return 0
    return 0.0 if isinstance(value, float) and value == float("inf") else value
