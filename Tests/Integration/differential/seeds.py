"""Reads the cassettes of DVR, Vinyl and LaserDisc, from a parsed JSON document."""

from __future__ import annotations

from typing import Any

from . import contents, values
from .model import Body, Exchange, Recording, Refused, Unusable

# Raw values of Foundation's String.Encoding.
STRING_ENCODINGS = {
    1: "ascii",
    3: "euc-jp",
    4: "utf-8",
    5: "latin-1",
    8: "shift_jis",
    9: "iso8859-2",
    10: "utf-16",
    11: "cp1251",
    12: "cp1252",
    13: "cp1253",
    14: "cp1254",
    15: "cp1250",
    21: "iso2022-jp",
    30: "mac-roman",
    0x8C000100: "utf-32",
    0x90000100: "utf-16-be",
    0x94000100: "utf-16-le",
    0x98000100: "utf-32-be",
    0x9C000100: "utf-32-le",
}


def is_dvr(root: Any) -> bool:
    return isinstance(root, dict) and "interactions" in root


def is_vinyl(root: Any) -> bool:
    items = root if isinstance(root, list) else []
    return any(isinstance(item, dict) and {"request", "response"} & item.keys() for item in items)


def is_laserdisc(root: Any) -> bool:
    return isinstance(root, dict) and "entries" in root


def dvr_recording(root: Any) -> Recording:
    items = root["interactions"]
    doubts: set[str] = set()
    if items is None:
        doubts.add("null in place of a list")
        items = []
    if not isinstance(items, list):
        raise Refused("the interactions are no array")
    return Recording("DVR", [_exchange(item, is_dvr=True) for item in items], doubts)


def vinyl_recording(root: Any) -> Recording:
    undetermined = set() if is_vinyl(root[:1]) else {"odd first interaction"}
    return Recording("Vinyl", [_exchange(item, is_dvr=False) for item in root], undetermined=undetermined)


def _exchange(item: Any, is_dvr: bool) -> Exchange:
    result = Exchange()
    try:
        if not isinstance(item, dict):
            raise Unusable("the interaction is no object")
        response = item.get("response")
        if item.get("request") is None and isinstance(response, dict):
            if is_dvr or "request" in item:
                result.doubts.add("interaction without a request")
            result.method, result.url = "GET", _url(response)
        else:
            _read_request(item.get("request"), is_dvr, result)
        if not isinstance(response, dict):
            raise Unusable("there is no response")
        result.status = values.status(response.get("status"), result.doubts)
        _set_headers(response, "headers", result)
        if result.status is None:
            raise Unusable("there is no status")
        if not isinstance(response.get("url"), str):
            result.doubts.add("response without a URL")
        result.response_url = values.other_url(response.get("url"), result.url)
        result.body = _body(response, result.headers, is_dvr, result, "body")
        if result.body is None:
            result.doubts.add("response without a body")
            result.body = Body((b"",))
    except Unusable as reason:
        result.unusable = str(reason)
    return result


def _url(message: dict[str, Any]) -> str:
    url = message.get("url")
    if not isinstance(url, str) or not url:
        raise Unusable("there is no URL")
    return url


def _set_headers(message: dict[str, Any], part: str, result: Exchange) -> None:
    headers = values.dictionary_headers(message.get("headers"), result.doubts)
    if headers is None:
        # DVR drops all fields if one of them is no text.
        result.doubts.add("odd header field")
        result.skipped.add(part)
    elif any(not isinstance(value, str) for _, value in getattr(message.get("headers"), "pairs", ())):
        result.doubts.add("odd header field")
    setattr(result, part.replace(" ", "_"), headers or [])


def _read_request(request: Any, is_dvr: bool, result: Exchange) -> None:
    if not isinstance(request, dict):
        raise Unusable("there is no request")
    method = request.get("method")
    if method is not None and not isinstance(method, str) or method == "":
        result.doubts.add("odd type")
        result.skipped.add("method")
    result.method = method if isinstance(method, str) and method else "GET"
    result.url = _url(request)
    _set_headers(request, "request headers", result)
    if not is_dvr and not isinstance(request.get("headers"), dict):
        # Vinyl reads the body of a request only if there are header fields.
        result.skipped.add("request body")
    try:
        result.request_body = _body(request, result.request_headers, is_dvr, result, "request body")
    except Unusable:
        result.doubts.add("request body that cannot be given")
        result.skipped.add("request body")


def _body(
    message: dict[str, Any], headers: list[tuple[str, str]], is_dvr: bool, result: Exchange, part: str
) -> Body | None:
    body = message.get("body")
    if body is None:
        return None
    kind = contents.header(headers, "content-type")
    spellings = [name for name, _ in headers if name.lower() == "content-type"]
    if kind is not None and spellings != ["Content-Type"]:
        # Both tools look for this spelling only.
        result.doubts.add("spelling of Content-Type")
        result.skipped.add(part)
    if kind is not None and kind.lower() == "application/json" or (kind or "").lower().startswith("application/json;"):
        return Body(value=body, is_value=True)
    if kind is not None and kind.lower().startswith("text/") or kind is None and not is_dvr:
        if not isinstance(body, str):
            raise Unusable("the body is no text")
        return contents.encoded(body, None, result.doubts)
    if not isinstance(body, str):
        raise Unusable("the body is no base64")
    return Body((contents.base64_bytes(body, result.doubts),))


def laserdisc_recording(root: Any) -> Recording:
    items = root["entries"]
    if not isinstance(items, list):
        raise Refused("the entries are no array")
    return Recording("LaserDisc", [_disc_exchange(item) for item in items])


def _disc_exchange(item: Any) -> Exchange:
    result = Exchange()
    try:
        request = item.get("request") if isinstance(item, dict) else None
        response = item.get("response") if isinstance(item, dict) else None
        if not isinstance(request, dict) or not isinstance(response, dict):
            raise Unusable("there is no request or no response")
        if not isinstance(request.get("method"), str) or not request["method"]:
            raise Unusable("there is no method")
        result.method, result.url = request["method"], _url(request)
        _set_headers(request, "request headers", result)
        _set_headers(response, "headers", result)
        if isinstance(request.get("body"), str):
            result.request_body = contents.encoded(request["body"], None, result.doubts)
        elif request.get("body") is not None:
            result.doubts.add("request body that cannot be given")
            result.skipped.add("request body")
        result.status = _disc_status(response.get("status"), result)
        result.body = _disc_body(response, result)
    except Unusable as reason:
        result.unusable = str(reason)
    return result


def _disc_status(status: Any, result: Exchange) -> int:
    """A status line without the version, such as `200 OK`."""
    if isinstance(status, str):
        code = values.status(status.strip().split(" ")[0], result.doubts)
    else:
        code = values.status(status, result.doubts)
        result.doubts.add("odd type")
    if code is None:
        raise Unusable("there is no status")
    return code


def _disc_body(response: dict[str, Any], result: Exchange) -> Body:
    body = response.get("body")
    if body is None:
        raise Unusable("no body was recorded")
    if not isinstance(body, str):
        raise Unusable("the body is no text")
    if not body:
        # LaserDisc writes an empty text for a body that is not text.
        result.doubts.add("empty text")
    raw = response.get("bodyEncodingRaw", 4)
    if "bodyEncodingRaw" not in response or raw is None:
        result.doubts.add("text without an encoding")
        raw = 4
    if not isinstance(raw, int) or isinstance(raw, bool) or raw not in STRING_ENCODINGS:
        if values.is_number(raw) and raw == int(raw) and int(raw) in STRING_ENCODINGS:
            raw = int(raw)
        elif body.isascii():
            result.doubts.add("text without an encoding")
            return Body((body.encode(),))
        else:
            raise Unusable(f"the encoding {raw!r} is unknown")
    name = STRING_ENCODINGS[raw]
    if name in ("utf-16", "utf-32"):
        return contents.encoded(body, f"text/plain; charset={name}", result.doubts)
    if name in ("euc-jp", "iso2022-jp") and not body.isascii():
        # Only JIS X 0208 is in all versions of these sets.
        result.doubts.add("extended character set")
    try:
        return Body((body.encode(name),))
    except UnicodeEncodeError:
        raise Unusable(f"the text has characters that {name} does not have") from None
