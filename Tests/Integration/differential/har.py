"""Reads HTTP Archives: HAR 1.2, with the additions of Rewind, Playwright, Polly.JS, Slack, Insomnia and Charles."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any
from urllib.parse import quote

from . import contents, values
from .model import Body, Exchange, Headers, Recording, Refused, Unusable

BODILESS = {204, 304}


def is_archive(root: Any) -> bool:
    return isinstance(root, dict) and "log" in root


def recording(root: Any, folder: pathlib.Path) -> Recording:
    log = root.get("log")
    if not isinstance(log, dict) or not isinstance(log.get("entries"), list):
        raise Refused("log.entries is no array")
    version = log.get("version")
    doubts: set[str] = set()
    if version not in (None, "") and not (isinstance(version, str) and version.split(".")[0] == "1"):
        if isinstance(version, str):
            raise Refused("the version is not 1.2")
        doubts.add("odd version")
    exchanges = [exchange(entry, folder) for entry in log["entries"]]
    if exchanges and not any(item.method and item.url for item in exchanges):
        if not any(_has_members(entry) for entry in log["entries"]):
            raise Refused("no entry has a method and a URL")
        doubts.add("no interaction without doubt")
    return Recording("HAR", exchanges, doubts)


def _has_members(entry: Any) -> bool:
    request = entry.get("request") if isinstance(entry, dict) else None
    return isinstance(request, dict) and "method" in request and "url" in request


def exchange(entry: Any, folder: pathlib.Path) -> Exchange:
    result = Exchange()
    try:
        if not isinstance(entry, dict):
            raise Unusable("the entry is no object")
        _read_request(entry.get("request"), folder, result)
        _read_outcome(entry, folder, result)
        if not result.method or not result.url:
            raise Unusable("the request has no method or no URL")
    except Unusable as reason:
        result.unusable = str(reason)
    return result


def _read_request(request: Any, folder: pathlib.Path, result: Exchange) -> None:
    if not isinstance(request, dict):
        result.unusable = "there is no request"
        return
    for name in ("method", "url"):
        text = values.text(request.get(name), result.doubts)
        if text is not None:
            setattr(result, name, text)
        if not isinstance(request.get(name), str):
            result.skipped.add(name)
    result.request_headers = _headers(request.get("headers"), result, "request headers")
    post = request.get("postData")
    if post is None:
        return
    if not isinstance(post, dict):
        result.doubts.add("odd request body")
        result.skipped.add("request body")
        return
    try:
        result.request_body = _request_body(post, folder, result)
    except Unusable as reason:
        result.request_body_absence = str(reason)
        # The answer is still known; whether the interaction may play without its request body is Rewind's choice.
        result.doubts.add("request body that cannot be given")
        result.skipped.add("request body")


def _headers(value: Any, result: Exchange, part: str) -> Headers:
    if value is None:
        return []
    if isinstance(value, dict):
        result.doubts.add("headers as an object")
        headers = values.dictionary_headers(value, result.doubts)
        if headers is not None:
            return headers
    fields: Headers = []
    for field in value if isinstance(value, list) else [None]:
        if isinstance(field, list) and len(field) == 2:
            name, content = field
        elif isinstance(field, dict):
            name, content = field.get("name"), field.get("value")
        else:
            name = content = None
        texts = values.scalar_values(content, result.doubts)
        if not isinstance(name, str) or not name or texts is None:
            result.doubts.add("odd header field")
            result.skipped.add(part)
            continue
        fields += [(name, item) for item in texts]
    return fields


def _request_body(post: dict[str, Any], folder: pathlib.Path, result: Exchange) -> Body | None:
    params, text = post.get("params"), post.get("text")
    content_type = contents.header(result.request_headers, "content-type")
    if isinstance(text, str) and (text or not params):
        encoding = post.get("_encoding", post.get("encoding"))
        if encoding in (None, ""):
            # HAR names a character set for responses only, so both spellings are in use.
            plain = contents.encoded(text, None, result.doubts)
            try:
                in_charset = contents.encoded(text, content_type, set())
            except Unusable:
                in_charset = plain
            return Body(tuple(dict.fromkeys(plain.choices + in_charset.choices)))
        if isinstance(encoding, str) and encoding.lower() == "base64":
            return Body((contents.base64_bytes(text, result.doubts),))
        raise Unusable(f"the encoding {encoding!r} is unknown")
    if text is not None and not isinstance(text, str):
        raise Unusable("the text is no string")
    if isinstance(post.get("_file"), str):
        return Body((_file(post["_file"], folder),))
    if not params:
        return None
    mime = post.get("mimeType") if isinstance(post.get("mimeType"), str) else None
    return _form(params, content_type or mime, result)


def _form(params: Any, content_type: str | None, result: Exchange) -> Body:
    """The body of a form, rebuilt from its fields."""
    if not isinstance(params, list) or not all(isinstance(item, dict) for item in params):
        raise Unusable("the parameters are not objects")
    fields = []
    for item in params:
        name, value = values.text(item.get("name"), result.doubts), item.get("value")
        text = None if value is None else values.text(value, result.doubts)
        if name is None or value is not None and text is None:
            raise Unusable("a parameter is no text")
        fields.append((name, text, item))
    if (content_type or "").lower().startswith("multipart/form-data"):
        match = re.search(r'boundary="?([^";]+)', content_type or "", re.IGNORECASE)
        if not match or any(text is None for _, text, _ in fields):
            raise Unusable("the parts cannot be put together")
        return Body((_multipart(fields, match.group(1)),))
    pairs = [(_escaped(name), None if text is None else _escaped(text)) for name, text, _ in fields]
    joined = "&".join(name if text is None else f"{name}={text}" for name, text in pairs)
    # The spelling of the escapes is lost: space is `+` or `%20`, and other characters may be escaped or not.
    return Body((joined.encode(), joined.replace("%20", "+").encode()))


def _escaped(text: str) -> str:
    return quote(text, safe="", encoding="utf-8", errors="replace")


def _multipart(fields: list[tuple[str, str | None, dict[str, Any]]], boundary: str) -> bytes:
    body = ""
    for name, text, item in fields:
        file, kind = item.get("fileName"), item.get("contentType")
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
        body += f'; filename="{file}"' if isinstance(file, str) else ""
        body += f"\r\nContent-Type: {kind}" if isinstance(kind, str) else ""
        body += f"\r\n\r\n{text}\r\n"
    return (body + f"--{boundary}--\r\n").encode()


def _read_outcome(entry: dict[str, Any], folder: pathlib.Path, result: Exchange) -> None:
    own = entry.get("_rewind")
    failure = own.get("failure") if isinstance(own, dict) else None
    if isinstance(failure, dict):
        result.failure = (failure.get("domain", "NSURLErrorDomain"), failure.get("code", -1))
    if isinstance(own, dict) and isinstance(own.get("fragment"), str) and "#" not in result.url:
        result.url += "#" + own["fragment"]
    response = entry.get("response")
    if not isinstance(response, dict):
        if result.failure is None:
            raise Unusable("there is no response")
        return
    result.status = values.status(response.get("status"), result.doubts)
    if result.status is None:
        if result.failure is None:
            raise Unusable(f"the status is {response.get('status')!r}")
        return
    result.headers = _headers(response.get("headers"), result, "headers")
    result.body = _content(response.get("content"), folder, result)


def _content(content: Any, folder: pathlib.Path, result: Exchange) -> Body:
    if content is None:
        result.doubts.add("response without content")
        return Body((b"",))
    if not isinstance(content, dict):
        raise Unusable("the content is no object")
    text = content.get("text")
    if isinstance(text, str):
        return _content_text(text, content, result)
    if text is not None:
        raise Unusable("the text is no string")
    if isinstance(content.get("_file"), str):
        return Body((_file(content["_file"], folder),))
    size = content.get("size", 0)
    redirect = 300 < (result.status or 0) < 400 and contents.header(result.headers, "location") is not None
    if values.is_number(size) and size > 0 and not (result.method == "HEAD" or result.status in BODILESS or redirect):
        raise Unusable("the body was not recorded")
    if size is not None and not values.is_number(size):
        result.doubts.add("odd size")
    return Body((b"",))


def _content_text(text: str, content: dict[str, Any], result: Exchange) -> Body:
    encoding = content.get("encoding")
    name = encoding.lower() if isinstance(encoding, str) else encoding
    chunks = _chunks(text)
    if name == "base64":
        if chunks is not None:
            data = b"".join(contents.base64_bytes(chunk, result.doubts) for chunk in chunks)
        else:
            data = contents.base64_bytes(text, result.doubts)
        return Body((contents.decoded(data, result.headers, result.doubts),))
    if name == "hex" or content.get("_isBinary") is True and name in (None, ""):
        try:
            data = b"".join(bytes.fromhex(chunk) for chunk in (chunks if chunks is not None else [text]))
        except ValueError:
            raise Unusable("the text is not hexadecimal") from None
        if name == "hex":
            result.doubts.add("hex")
        return Body((contents.decoded(data, result.headers, result.doubts),))
    if name not in (None, ""):
        if name in ("utf-8", "utf8", "text", "plain", "none", "identity"):
            result.doubts.add("name of an encoding that changes nothing")
        else:
            raise Unusable(f"the encoding {encoding!r} is unknown")
    if chunks and contents.codings(result.headers) and all(re.fullmatch("(?:[0-9a-f]{2})+", c) for c in chunks):
        # Polly.JS decides by the header alone.
        result.doubts.add("chunks without a mark")
        data = b"".join(map(bytes.fromhex, chunks))
        return Body((contents.decoded(data, result.headers, result.doubts),))
    return contents.encoded(text, contents.header(result.headers, "content-type"), result.doubts)


def _chunks(text: str) -> list[str] | None:
    """The chunks of Polly.JS: a JSON array of texts in a string."""
    if not text.lstrip().startswith("["):
        return None
    try:
        chunks = json.loads(text)
    except ValueError:
        return None
    if isinstance(chunks, list) and all(isinstance(chunk, str) for chunk in chunks):
        return chunks
    return None


def _file(path: str, folder: pathlib.Path) -> bytes:
    """A body file, which must be in the folder of the archive."""
    file = (folder / path).resolve()
    if not file.is_relative_to(folder.resolve()) or not file.is_file():
        raise Unusable(f"the body file {path} cannot be read")
    return file.read_bytes()
