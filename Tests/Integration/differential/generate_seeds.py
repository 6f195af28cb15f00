"""Writes samples as the cassettes of DVR, Vinyl and LaserDisc."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

from . import values
from .model import Body, Exchange, Headers
from .samples import BodySample, Sample
from .seeds import STRING_ENCODINGS


def interaction(sample: Sample, is_dvr: bool, rng: random.Random) -> tuple[Any, Exchange | None]:
    """An interaction of DVR or Vinyl, and what it says; None if it need not be readable."""
    request_headers, headers = _joined(sample.request_headers), _joined(_without_codings(sample.headers))
    request: dict[str, Any] = {"method": sample.method, "url": sample.url, "headers": request_headers}
    response: dict[str, Any] = {"url": sample.url, "status": sample.status, "headers": headers}
    request_body = _add_body(request, sample.request_body, is_dvr)
    body = _add_body(response, sample.body, is_dvr)
    item: dict[str, Any] = {"request": request, "response": response}
    if is_dvr:
        item["recorded_at"] = 1795600000.5
    if rng.random() < 0.1:
        # The last URL after redirects.
        response["url"] = "https://www.example.com/final"
    if not _is_kept(sample.body) or body is None or not _has_one_spelling(sample.headers):
        return item, None
    truth = Exchange(
        sample.method, sample.url, _split(request_headers), request_body, sample.status, _split(headers), body
    )
    truth.response_url = values.other_url(response["url"], sample.url)
    return item, truth


def _is_kept(body: BodySample) -> bool:
    return body.decoded is not None


def _has_one_spelling(headers: Headers) -> bool:
    return sum(name == "Content-Type" for name, _ in headers) <= 1


def _without_codings(headers: Headers) -> Headers:
    """URLSession gives a decoded body; some of the fields stay."""
    return [(name, value) for name, value in headers if name != "Content-Encoding" or value.strip().lower() == "gzip"]


def _joined(headers: Headers) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in headers:
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    return joined


def _split(headers: dict[str, str]) -> Headers:
    result: Headers = []
    for name, value in headers.items():
        values = (
            value.replace(", b=2", "\0b=2").replace(", a=1", "\0a=1").split("\0") if name == "Set-Cookie" else [value]
        )
        result += [(name, item) for item in values]
    return result


def _add_body(message: dict[str, Any], body: BodySample | None, is_dvr: bool) -> Body | None:
    """Adds the body of a message, as these tools encode it by the media type."""
    if body is None or body.decoded is None:
        return None
    kind, data = body.headers[0][1], body.decoded
    if kind.startswith("application/json"):
        try:
            value = json.loads(data)
        except ValueError:
            return None
        message["body"] = value
        # Tools read a JSON null as no body.
        return None if value is None else Body(value=value, is_value=True)
    if kind.startswith("text/"):
        try:
            message["body"] = data.decode()
        except UnicodeDecodeError:
            return None
    else:
        message["body"] = base64.b64encode(data).decode()
    return Body((data,))


def document(items: list[Any], is_dvr: bool) -> Any:
    return {"name": "generated", "interactions": items} if is_dvr else items


def disc_entry(sample: Sample, rng: random.Random) -> tuple[Any, Exchange | None]:
    """An entry of LaserDisc, and what it says; None if it need not be readable."""
    data, text = sample.body.decoded, None
    raw = 4
    if data is not None and sample.body.text is not None:
        raw, text = _string(sample.body, rng)
        data = text.encode(STRING_ENCODINGS[raw])
    elif data is not None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            data = None
    request_headers, headers = _joined(sample.request_headers), _joined(_without_codings(sample.headers))
    request: dict[str, Any] = {"method": sample.method, "url": sample.url, "headers": request_headers}
    request_body = None
    if sample.request_body is not None:
        request["body"] = sample.request_body.text
        request_body = Body((sample.request_body.sent,))
    response = {
        "status": f"{sample.status} {rng.choice(['OK', 'Not Found', ''])}".strip(),
        "headers": headers,
        "body": text or "",
        "bodyEncodingRaw": raw,
        "elapsedTime": 0.25,
    }
    item = {"request": request, "response": response}
    if not data:
        return item, None
    truth = Exchange(
        sample.method, sample.url, _split(request_headers), request_body, sample.status, _split(headers), Body((data,))
    )
    return item, truth


def _string(body: BodySample, rng: random.Random) -> tuple[int, str]:
    """The raw value of an encoding that can represent the text."""
    text = body.text or ""
    usable = [4]
    for raw, name in STRING_ENCODINGS.items():
        is_japanese = name in ("euc-jp", "shift_jis", "iso2022-jp")
        if name not in ("utf-16", "utf-32") and (not is_japanese or text.startswith("日本語")):
            try:
                text.encode(name)
                usable.append(raw)
            except UnicodeEncodeError:
                pass
    return rng.choice(usable), text
