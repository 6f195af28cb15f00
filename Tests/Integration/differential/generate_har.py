"""Writes samples as HTTP Archives, in the spellings of many tools."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

from .model import Body, Exchange, Headers
from .samples import BodySample, Sample


def archive(entries: list[Any], rng: random.Random) -> Any:
    log: dict[str, Any] = {"version": "1.2", "creator": {"name": "generator", "version": "1"}, "pages": []}
    log["entries"] = entries
    if rng.random() < 0.2:
        del log[rng.choice(["version", "creator", "pages"])]
    return {"log": log}


def entry(sample: Sample, rng: random.Random, files: dict[str, bytes]) -> tuple[Any, Exchange | None]:
    """An entry, and what it says; None if it need not be readable. Adds body files by their paths."""
    content, body = _content(sample.body, rng)
    if body is not None and rng.random() < 0.1:
        content = {"size": -1, "mimeType": content["mimeType"], "_file": _file(body.choices[0], rng, files)}
    request: dict[str, Any] = {"method": sample.method, "url": sample.url, "httpVersion": "HTTP/1.1"}
    request |= {"headersSize": -1, "bodySize": -1}
    request_body = None
    if sample.request_body is not None:
        request["postData"], request_body = _post_data(sample, rng, files)
    request |= {"cookies": [], "headers": _headers(sample.request_headers, rng), "queryString": []}
    document = {
        "startedDateTime": "2026-11-22T10:00:00.000Z",
        "time": 12.5,
        "request": request,
        "response": {
            "status": sample.status if rng.random() < 0.9 else str(sample.status),
            "statusText": "",
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": _headers(sample.headers, rng),
            "content": content,
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": len(sample.body.sent),
        },
        "cache": {},
        "timings": {"send": 0, "wait": 12.5, "receive": 0},
    }
    if body is None:
        return document, None
    truth = Exchange(
        sample.method, sample.url, sample.request_headers, request_body, sample.status, sample.headers, body
    )
    return document, truth


def _headers(headers: Headers, rng: random.Random) -> list[Any]:
    if rng.random() < 0.05:
        return [[name, value] for name, value in headers]
    if rng.random() < 0.05 and all(name not in ("Set-Cookie", "Content-Encoding") for name, _ in headers):
        # An array in place of a text, as Polly.JS 1 writes it.
        return [{"name": name, "value": [value]} for name, value in headers]
    return [{"name": name, "value": value} for name, value in headers]


def _file(data: bytes, rng: random.Random, files: dict[str, bytes]) -> str:
    """The path of a new body file."""
    path = f"{rng.getrandbits(48):012x}.bodies/{len(files)}.{rng.choice(['bin', 'json'])}"
    files[path] = data
    return path


def _post_data(sample: Sample, rng: random.Random, files: dict[str, bytes]) -> tuple[Any, Body]:
    body = sample.request_body
    assert body is not None
    mime = body.headers[0][1]
    plain = Body((body.sent,))
    if mime.startswith("application/x-www-form-urlencoded"):
        params = [{"name": "a", "value": "1"}, {"name": "b c", "value": "é&=+"}, {"name": "d", "value": ""}]
        if rng.random() < 0.5:
            return {"mimeType": mime, "params": params}, Body((b"a=1&b%20c=%C3%A9%26%3D%2B&d=",))
    if rng.random() < 0.1:
        return {"mimeType": mime, "_file": _file(body.sent, rng, files)}, plain
    if rng.random() < 0.05:
        return _multipart(sample)
    if rng.random() < 0.2:
        text = base64.b64encode(body.sent).decode()
        return {"mimeType": mime, "text": text, rng.choice(["_encoding", "encoding"]): "base64"}, plain
    return {"mimeType": mime, "params": [], "text": body.text}, plain


def _multipart(sample: Sample) -> tuple[Any, Body]:
    """The parts of a form without their text, with the boundary in the header."""
    kind = "multipart/form-data; boundary=X-BOUNDARY"
    sample.request_headers[:] = [pair for pair in sample.request_headers if pair[0] != "Content-Type"]
    sample.request_headers.append(("Content-Type", kind))
    params = [
        {"name": "a", "value": "1"},
        {"name": "f", "fileName": "n.txt", "contentType": "text/plain", "value": "é"},
    ]
    body = (
        '--X-BOUNDARY\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
        '--X-BOUNDARY\r\nContent-Disposition: form-data; name="f"; filename="n.txt"\r\n'
        "Content-Type: text/plain\r\n\r\né\r\n--X-BOUNDARY--\r\n"
    )
    return {"mimeType": kind, "params": params}, Body((body.encode(),))


def _content(body: BodySample, rng: random.Random) -> tuple[Any, Body | None]:
    """The content, and its bytes; None if they cannot be given, or need not be."""
    mime = body.headers[0][1]
    content: dict[str, Any] = {"size": len(body.decoded or body.sent), "mimeType": mime}
    truth = None if body.decoded is None else Body((body.decoded,))
    is_coded = any(name == "Content-Encoding" for name, _ in body.headers)
    if is_coded:
        return _coded(body, content, truth, rng)
    if body.text is not None and rng.random() < 0.7:
        content["text"] = body.text
        if rng.random() < 0.1:
            content["encoding"] = rng.choice(["", None])
        return content, truth if body.name == "text" else None
    content["text"] = _base64(body.sent, rng)
    content["encoding"] = rng.choice(["base64", "base64", "Base64", "BASE64"])
    return content, Body((body.sent,))


def _coded(body: BodySample, content: Any, truth: Body | None, rng: random.Random) -> tuple[Any, Body | None]:
    cut = rng.randrange(len(body.sent) + 1)
    chunks = [body.sent[:cut], body.sent[cut:]] if rng.random() < 0.5 else [body.sent]
    spelling = rng.choice(["bytes", "hex chunks", "base64 chunks", "decoded", "decoded base64"])
    if spelling == "hex chunks":
        content |= {"_isBinary": True, "text": json.dumps([chunk.hex() for chunk in chunks])}
    elif spelling == "base64 chunks":
        texts = [base64.b64encode(chunk).decode() for chunk in chunks]
        content |= {"encoding": "base64", "text": json.dumps(texts)}
    elif spelling == "bytes" or body.decoded is None:
        content |= {"encoding": "base64", "text": _base64(body.sent, rng)}
    else:
        try:
            text = body.decoded.decode()
            assert spelling == "decoded"
            content["text"] = text
        except (UnicodeDecodeError, AssertionError):
            content |= {"encoding": "base64", "text": _base64(body.decoded, rng)}
        # The header stays, although the body was decoded.
        return content, None
    return content, truth


def _base64(data: bytes, rng: random.Random) -> str:
    text = base64.b64encode(data).decode()
    if rng.random() < 0.1:
        text = "\n".join(text[at : at + 76] for at in range(0, len(text), 76))
    return text


def spoiled_text(document: Any, rng: random.Random) -> str:
    """Spoils the encoding of a body, and tells how."""
    content = rng.choice([document["response"]["content"], document["request"].get("postData") or {}])
    text = content.get("text") or "aGVsbG8="
    how = rng.choice(["unknown", "hex", "url-safe", "padding", "garbage", "no text", "binary mark", "file"])
    if how == "unknown":
        content["encoding"] = rng.choice(["quoted-printable", "gzip", "x", 64, ["base64"], "utf8", "binary"])
    elif how == "hex":
        content |= {"encoding": "hex", "text": text.encode("utf-8", "replace").hex()}
    elif how == "url-safe":
        content |= {"encoding": "base64", "text": base64.urlsafe_b64encode(b"\xfb\xff\xbf" * 5).decode()}
    elif how == "padding":
        content |= {"encoding": "base64", "text": rng.choice(["YQ", "YQ=", "YWI", "YQ===", "Y", "=", "YQ==YQ=="])}
    elif how == "garbage":
        content |= {"encoding": "base64", "text": rng.choice(["!!!!", "YQ==\u00e9", "Y Q = =", "\nYQ==\n", "é"])}
    elif how == "no text":
        content.pop("text", None)
    elif how == "file":
        content.pop("text", None)
        content["_file"] = rng.choice(["missing.bin", "../outside.bin", "/etc/hostname", "", 5, None, "."])
    else:
        content["_isBinary"] = rng.choice([True, True, False, "true"])
        content["text"] = rng.choice([content.get("text"), "68656c6c6f", "6865Z", '["6865", "6c6c6f"]', "[]"])
    return f"body {how}"
