"""Reads the cassettes of VCR (Ruby), betamax, vcrpy, go-vcr and vcr (R), from a parsed JSON or YAML document."""

from __future__ import annotations

import email
import re
import zlib
from typing import Any

from . import contents, values
from .model import Body, Exchange, Headers, Recording, Refused, Unusable
from .yaml_text import BrokenBinary, contains_foreign


def is_cassette(root: Any) -> bool:
    """Whether a document has the members of one of these tools; DVR has `url` in place of `uri`."""
    if not isinstance(root, dict):
        return False
    if "http_interactions" in root:
        return True
    items = root.get("interactions")
    return isinstance(items, list) and ("version" in root or any("uri" in _member(item, "request") for item in items))


def is_early_vcrpy(root: Any) -> bool:
    """Whether a document is that of vcrpy before its version 1."""
    if not isinstance(root, list):
        return False
    return any({"protocol", "host"} & _member(item, "request").keys() for item in root)


def _member(value: Any, name: str) -> dict[str, Any]:
    member = value.get(name) if isinstance(value, dict) else None
    return member if isinstance(member, dict) else {}


def recording(root: dict[str, Any], name: str) -> Recording:
    items = root.get("http_interactions", root.get("interactions"))
    doubts: set[str] = set()
    version = root.get("version")
    if version is not None and version not in (1, 2, 3, 4, "1", "2", "3", "4"):
        raise Refused("the version is unknown")
    if items is None:
        doubts.add("null in place of a list")
        items = []
    if not isinstance(items, list):
        raise Refused("the interactions are no list")
    marks = [root.get("recorded_with")] + [item.get("recorded_with") for item in items if isinstance(item, dict)]
    if name == "VCR YAML" and version is None and not any(marks):
        doubts.add("no end mark")
    layouts = {(frozenset(item), frozenset(_member(item, "response"))) for item in items if isinstance(item, dict)}
    if next(iter(root), None) == "version" and len(layouts) > 1:
        # go-vcr begins with the version, so that only the last members show the end.
        doubts.add("no end mark")
    # R leaves out members that are NULL.
    omits = any(isinstance(mark, str) and re.match("vcr/|VCR-", mark) for mark in marks)
    return Recording(name, [exchange(item, omits) for item in items], doubts)


def is_php_list(root: Any) -> bool:
    """Whether a YAML document is a list of interactions, as PHP-VCR and VCR 1 write it."""
    return isinstance(root, list) and bool(root) and bool({"url", "uri"} & _member(root[0], "request").keys())


def php_recording(root: list[Any]) -> Recording:
    # Nothing marks the end of the list.
    return Recording("VCR YAML", [exchange(item, omits_empty=True) for item in root], {"no end mark"})


def exchange(item: Any, omits_empty: bool = False) -> Exchange:
    """Reads an interaction; a response without a body may be empty if the tool leaves out empty members."""
    result = Exchange()
    if contains_foreign(item):
        result.doubts.add("foreign tag")
    try:
        if not isinstance(item, dict):
            raise Unusable("the interaction is no mapping")
        _read_request(item.get("request"), result)
        response = item.get("response")
        if not isinstance(response, dict):
            raise Unusable("there is no response")
        result.status = _status(response, result)
        result.headers = _headers(response, result, "headers")
        if result.status is None:
            raise Unusable("there is no status")
        result.body = _response_body(response, result, omits_empty)
        if not result.method or not result.url:
            raise Unusable("the request has no method or no URL")
    except Unusable as reason:
        result.unusable = str(reason)
    return result


def _read_request(request: Any, result: Exchange) -> None:
    if not isinstance(request, dict):
        raise Unusable("there is no request")
    method = values.text(request.get("method"), result.doubts)
    if method is not None:
        method = method.removeprefix(":")
        # Ruby writes symbols in lower case.
        result.method = method.upper() if method == method.lower() else method
    url = values.text(request.get("uri", request.get("url")), result.doubts)
    if url is not None:
        result.url = url
    if "odd type" in result.doubts:
        # If Rewind refuses the interaction, it need not show them.
        result.skipped |= {"method", "url"}
    result.request_headers = _headers(request, result, "request headers")
    if request.get("body") is None and request.get("parsed_body") is not None:
        result.request_body = Body(value=request["parsed_body"], is_value=True)
        return
    _read_request_body(request, result)


def _headers(message: dict[str, Any], result: Exchange, part: str) -> Headers:
    headers = values.dictionary_headers(message.get("headers"), result.doubts)
    if headers is None:
        result.doubts.add("odd header field")
        result.skipped.add(part)
    return headers or []


def _read_request_body(request: dict[str, Any], result: Exchange) -> None:
    try:
        body = _body(request.get("body"), result)
    except Unusable:
        result.doubts.add("request body that cannot be given")
        result.skipped.add("request body")
        return
    # All of these tools write an empty text if there is no body.
    if body is not None and body.choices != (b"",):
        result.request_body = body


def _status(response: dict[str, Any], result: Exchange) -> int | None:
    """An object with a code, a status line with a code beside it, or a number."""
    status = response.get("status", response.get("status_code"))
    if isinstance(status, dict):
        return values.status(status.get("code", status.get("status_code")), result.doubts)
    code = values.status(response.get("code"), result.doubts) if "code" in response else None
    if code is not None:
        return code
    if isinstance(status, str) and re.match(r"[0-9]{3}( |$)", status):
        if len(status) > 3:
            result.doubts.add("status line without a code")
        return values.status(status[:3], result.doubts)
    return values.status(status, result.doubts)


def _response_body(response: dict[str, Any], result: Exchange, omits_empty: bool = False) -> Body:
    names = [name for name in ("body", "content", "body_as_bytes") if response.get(name) is not None]
    is_empty = result.method == "HEAD" or (result.status or 0) < 200 or result.status in (204, 304)
    is_empty = is_empty or omits_empty or contents.header(result.headers, "content-length") == "0"
    if not names:
        if response.get("parsed_body") is not None:
            # The fields are those of bytes that were not recorded.
            result.skipped.add("content fields")
            return Body(value=response["parsed_body"], is_value=True)
        if "body" in response:
            result.doubts.add("null in place of a body")
        elif not is_empty:
            raise Unusable("no body was recorded")
        result.doubts.add("response without a body")
        return Body((b"",))
    body = _body(response[names[0]], result)
    if body is None:
        result.doubts.add("null in place of a body")
        return Body((b"",))
    recorded = response[names[0]]
    text = recorded.get("string") if isinstance(recorded, dict) else recorded
    is_text = isinstance(text, str) and not isinstance(text, BrokenBinary)
    choices = [contents.decoded(item, result.headers, result.doubts, is_text=is_text) for item in body.choices]
    return Body(tuple(dict.fromkeys(choices)))


def _body(body: Any, result: Exchange) -> Body | None:
    """The recorded bytes; None if there is no body."""
    if body is None:
        return None
    if not isinstance(body, dict):
        return _text(body, None, result)
    if body.get("file") is True or body.get("on_disk") is not None:
        raise Unusable("the body is in another file")
    if body.get("base64_string", 0) in ([], None):
        result.doubts.add("null in place of a body")
        return None
    if body.get("raw_gzip") is not None:
        return Body((_r_bytes(body["raw_gzip"], result),))
    if body.get("base64_string") is not None:
        if not isinstance(body["base64_string"], str):
            raise Unusable("the base64 is no text")
        return Body((contents.base64_bytes(body["base64_string"], result.doubts),))
    if body.get("string") is not None:
        return _text(body["string"], body.get("encoding"), result)
    if "string" in body or not body:
        return None
    raise Unusable("the body has neither text nor base64")


def _r_bytes(text: Any, result: Exchange) -> bytes:
    """The bytes that memCompress of R compressed: the zlib format, in spite of the name."""
    if not isinstance(text, str):
        raise Unusable("the base64 is no text")
    data = contents.base64_bytes(text, result.doubts)
    if data.startswith(contents.GZIP):
        return contents.gunzipped(data, result.doubts)
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise Unusable(f"the zlib data is damaged: {error}") from None


def _text(text: Any, encoding: Any, result: Exchange) -> Body:
    """A text is stored in UTF-8, with the name of the encoding that it had."""
    if isinstance(text, bytes):
        return Body((text,))
    if isinstance(text, BrokenBinary):
        raise Unusable("the base64 is invalid")
    plain = values.text(text, result.doubts)
    if not isinstance(text, str):
        result.skipped.add("request body")
    if plain is None:
        raise Unusable("the body is no text")
    name = encoding.lower() if isinstance(encoding, str) else ""
    if encoding is not None and not isinstance(encoding, str):
        result.doubts.add("unknown encoding")
    # ASCII-8BIT is Ruby's name for bytes.
    if (
        name in ("", "utf-8", "utf8", "ascii-8bit", "binary", "us-ascii", "ascii")
        or plain.isascii()
        and "utf" not in name
    ):
        return contents.encoded(plain, None, result.doubts)
    if name not in contents.CHARSETS and not name.startswith("utf"):
        result.doubts.add("unknown encoding")
        return contents.encoded(plain, None, result.doubts)
    try:
        return contents.encoded(plain, f"text/plain; charset={name}", result.doubts)
    except Unusable:
        # VCR gives the text as it is if it cannot be converted.
        result.doubts.add("unknown encoding")
        return contents.encoded(plain, None, result.doubts)


def early_recording(root: list[Any]) -> Recording:
    is_plain = is_early_vcrpy(root[:1]) and len(getattr(root[0], "pairs", root[0])) == len(root[0])
    undetermined = set() if is_plain else {"odd first interaction"}
    return Recording("vcrpy 0 JSON", [_early_exchange(item) for item in root], undetermined=undetermined)


def _early_exchange(item: Any) -> Exchange:
    """vcrpy before version 1: the URL in parts, and the fields of a response as lines."""
    result = Exchange()
    try:
        request, response = _member(item, "request"), _member(item, "response")
        if not request or not response:
            raise Unusable("there is no request or no response")
        result.method = values.text(request.get("method"), result.doubts) or ""
        if not isinstance(request.get("method"), str):
            result.skipped.add("method")
        result.url = _early_url(request, result)
        result.request_headers = _headers(request, result, "request headers")
        _read_request_body(request, result)
        result.status = _status(response, result)
        if result.status is None:
            raise Unusable("there is no status")
        result.headers = _lines(response.get("headers"), result)
        result.body = _response_body(response, result)
        if not result.method:
            raise Unusable("the request has no method")
    except Unusable as reason:
        result.unusable = str(reason)
    return result


def _early_url(request: dict[str, Any], result: Exchange) -> str:
    scheme, host, path = request.get("protocol", "http"), request.get("host"), request.get("path", "/")
    if not isinstance(host, str) or not isinstance(scheme, str) or not isinstance(path, str):
        raise Unusable("the request has no host")
    port = request.get("port")
    if port is not None and not (isinstance(port, int) and 0 < port < 1 << 16):
        result.doubts.add("odd type")
        result.skipped.add("url")
    default = {"https": 443, "http": 80}.get(scheme)
    return f"{scheme}://{host}" + (f":{port}" if port not in (None, default) else "") + path


def _lines(value: Any, result: Exchange) -> Headers:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(line, str) and ":" in line for line in value):
        result.doubts.add("odd header field")
        result.skipped.add("headers")
        return []
    message = email.message_from_string("".join(line.rstrip("\r\n") + "\n" for line in value) + "\n")
    return [(name, str(content).strip()) for name, content in message.items()]
