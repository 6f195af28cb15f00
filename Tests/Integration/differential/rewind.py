"""Reads a cassette file with `rewind show --json`."""

from __future__ import annotations

import base64
import json
import pathlib
import subprocess
from typing import Any

from .model import Body, Exchange, Headers, Recording, Refused


class Crash(Exception):
    """The command ended in a way that it must not."""


def read(command: str, path: pathlib.Path) -> Recording:
    """What Rewind reads from a file; raises Refused with its message if it reads nothing, and Crash if it fails."""
    arguments = [command, "show", "--json", str(path)]
    try:
        run = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        raise Crash("no answer after 60 seconds") from None
    message = run.stderr.decode("utf-8", "replace").strip()
    if run.returncode == 65 and message:
        raise Refused(message)
    if run.returncode != 0:
        raise Crash(f"status {run.returncode}: {message}")
    return Recording("", [_exchange(item) for item in json.loads(run.stdout)])


def _exchange(item: dict[str, Any]) -> Exchange:
    request, response, failure = item["request"], item["response"], item["failure"]
    result = Exchange(
        method=request["method"],
        url=request["url"],
        request_headers=_headers(request),
        request_body=_body(request["body"]),
        request_body_absence=request.get("bodyAbsence"),
    )
    if response is not None:
        result.status = response["status"]
        result.response_url = response.get("url")
        result.headers = _headers(response)
        result.body = _body(response["body"])
    if failure is not None and failure["domain"] == "Rewind":
        result.unusable = failure["message"]
    elif failure is not None:
        result.failure = (failure["domain"], failure["code"])
    return result


def _headers(message: dict[str, Any]) -> Headers:
    return [(field["name"], field["value"]) for field in message["headers"]]


def _body(body: dict[str, Any] | None) -> Body | None:
    if body is None:
        return None
    if "text" in body:
        return Body((body["text"].encode("utf-8"),))
    return Body((base64.b64decode(body["base64"]),))
