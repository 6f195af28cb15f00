"""Reads the property lists of BeKindRewind and JSZVCR."""

from __future__ import annotations

import datetime
import plistlib
from typing import Any
from xml.parsers.expat import ExpatError

from . import values
from .model import Body, Exchange, Headers, Recording, Refused, Unusable

REQUESTS = ("BKROriginalRequestFrame", "BKRCurrentRequestFrame", "BKRRequestFrame")


def recording(data: bytes) -> Recording:
    try:
        root = plistlib.loads(data, fmt=plistlib.FMT_XML)
    except (ExpatError, ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise Refused(f"no property list: {error}") from None
    if isinstance(root, dict) and "scenes" in root:
        return _bkr(root["scenes"])
    if isinstance(root, list) and any(isinstance(item, dict) and "request" in item for item in root):
        return Recording("JSZVCR", [_jszvcr_exchange(item) for item in root])
    raise Refused("no known format")


def _bkr(scenes: Any) -> Recording:
    if not isinstance(scenes, list):
        raise Refused("the scenes are no array")
    undetermined: set[str] = set()
    read = [_scene(scene, undetermined) for scene in scenes]
    read.sort(key=lambda scene: scene[0])
    return Recording("BeKindRewind", [item for _, items in read for item in items], undetermined=undetermined)


def _seconds(frame: dict[str, Any], undetermined: set[str]) -> float:
    date = frame.get("creationDate")
    if isinstance(date, datetime.datetime):
        return date.replace(tzinfo=datetime.timezone.utc).timestamp()
    if isinstance(date, (int, float)) and not isinstance(date, bool):
        return float(date)
    undetermined.add("frame without a date")
    return 0.0


def _scene(scene: Any, undetermined: set[str]) -> tuple[float, list[Exchange]]:
    """The time of the first frame, and the exchanges: one for each redirect, and one for the end."""
    doubts: set[str] = set()
    frames = scene.get("frames") if isinstance(scene, dict) else None
    if not isinstance(frames, list) or not all(isinstance(frame, dict) for frame in frames):
        undetermined.add("odd scene")
        return float("inf"), [Exchange(unusable="the scene has no frames")]
    timed = sorted(((_seconds(frame, undetermined), frame) for frame in frames), key=lambda pair: pair[0])
    kinds = [frame.get("class") for _, frame in timed]
    if any(not isinstance(kind, str) or not kind.startswith("BKR") for kind in kinds):
        undetermined.add("odd scene")
    start = timed[0][0] if timed else float("inf")
    first = next((frame for _, frame in timed if frame.get("class") in REQUESTS), None)
    if first is None:
        return start, [Exchange(unusable="the scene has no request", doubts=doubts)]
    exchanges, request = [], first
    for _, frame in timed:
        if frame.get("class") == "BKRRedirectFrame":
            exchange = _exchange(request, doubts, is_first=request is first)
            _read_response(frame.get("response"), exchange)
            if frame.get("request") is not None and not isinstance(frame["request"], dict):
                undetermined.add("odd scene")
            exchanges.append(exchange)
            if isinstance(frame.get("request"), dict):
                request = frame["request"]
    return start, exchanges + [_end(timed, _exchange(request, doubts, is_first=request is first))]


def _end(timed: list[tuple[float, dict[str, Any]]], exchange: Exchange) -> Exchange:
    responses = [index for index, (_, frame) in enumerate(timed) if frame.get("class") == "BKRResponseFrame"]
    error = next((frame for _, frame in reversed(timed) if frame.get("class") == "BKRErrorFrame"), None)
    if error is not None:
        exchange.failure = _failure(error, exchange)
    if responses:
        index = responses[-1]
        _read_response(timed[index][1], exchange)
        later = [
            frame for seconds, frame in timed if seconds > timed[index][0] and frame.get("class") == "BKRDataFrame"
        ]
        # In early files all frames have the same time.
        pieces = later or [frame for _, frame in timed[index:] if frame.get("class") == "BKRDataFrame"]
        data = [piece["data"] for piece in pieces if isinstance(piece.get("data"), bytes)]
        if len(data) < len(pieces):
            exchange.unusable = exchange.unusable or "a piece of the body is no data"
        else:
            exchange.body = Body((b"".join(data),))
    elif error is None:
        exchange.unusable = "the scene has no response"
    return exchange


def _exchange(request: dict[str, Any], doubts: set[str], is_first: bool) -> Exchange:
    # A frame may be that of another hop of a redirect.
    exchange = Exchange(doubts=set(doubts), skipped={"response URL"})
    try:
        _read_request(request, exchange)
    except Unusable as reason:
        exchange.unusable = str(reason)
    # The fields of the first request are in several frames, and a dictionary has no order.
    exchange.skipped |= {"request headers", "order"}
    return exchange


def _read_request(request: dict[str, Any], exchange: Exchange) -> None:
    method, url, body = request.get("HTTPMethod"), request.get("URL"), request.get("HTTPBody")
    if not isinstance(url, str) or not url:
        raise Unusable("the request has no URL")
    if not isinstance(method, str) or not method:
        exchange.doubts.add("request without a method")
        exchange.skipped.add("method")
        method = "GET"
    exchange.method, exchange.url = method, url
    exchange.request_headers = _headers(request, exchange, "request headers")
    if isinstance(body, bytes):
        exchange.request_body = Body((body,))
    elif body is not None:
        exchange.doubts.add("request body that cannot be given")
        exchange.skipped.add("request body")


def _headers(message: dict[str, Any], exchange: Exchange, part: str) -> Headers:
    headers = values.dictionary_headers(
        message.get("allHeaderFields", message.get("allHTTPHeaderFields")), exchange.doubts
    )
    if headers is None or "odd type" in exchange.doubts:
        exchange.doubts.add("odd header field")
        exchange.skipped.add(part)
    return headers or []


def _read_response(response: Any, exchange: Exchange) -> None:
    if not isinstance(response, dict):
        exchange.unusable = exchange.unusable or "there is no response"
        return
    if isinstance(response.get("statusCode"), str):
        exchange.doubts.add("odd type")
    status = values.status(response.get("statusCode"), exchange.doubts)
    if status is None:
        exchange.unusable = exchange.unusable or "there is no status"
        return
    exchange.status = status
    exchange.headers = _headers(response, exchange, "headers")
    exchange.body = Body((b"",))


def _failure(error: dict[str, Any], exchange: Exchange) -> tuple[str, int]:
    domain, code = error.get("domain"), error.get("code")
    if not isinstance(domain, str) or not isinstance(code, int) or isinstance(code, bool):
        exchange.doubts.add("odd error")
    if not isinstance(error.get("userInfo", {}), dict):
        exchange.doubts.add("odd error")
    if isinstance(code, float):
        code = int(code)
    if "code" in error and not isinstance(code, int):
        exchange.unusable = "the code of the error is no number"
    if "domain" in error and not isinstance(domain, str):
        exchange.unusable = "the domain of the error is no text"
    return (domain if isinstance(domain, str) else "NSURLErrorDomain", code if isinstance(code, int) else -1)


def _jszvcr_exchange(item: Any) -> Exchange:
    exchange = Exchange()
    exchange.skipped |= {"request headers", "order"}
    if not isinstance(item, dict) or not isinstance(item.get("request"), dict):
        exchange.unusable = "there is no request"
        return exchange
    requests = item["request"]
    original, current = requests.get("originalRequest"), requests.get("currentRequest")
    for request in (original, current):
        if request is not None and not isinstance(request, dict):
            exchange.doubts.add("odd scene")
    try:
        request = original if isinstance(original, dict) else current
        if not isinstance(request, dict):
            raise Unusable("there is no request")
        _read_request(request, exchange)
        if isinstance(current, dict):
            _headers(current, exchange, "request headers")
            if exchange.request_body is None and isinstance(current.get("HTTPBody"), bytes):
                exchange.request_body = Body((current["HTTPBody"],))
    except Unusable as reason:
        exchange.unusable = str(reason)
    _jszvcr_outcome(item, exchange)
    return exchange


def _jszvcr_outcome(item: dict[str, Any], exchange: Exchange) -> None:
    outer = item.get("response")
    response = outer.get("response") if isinstance(outer, dict) else None
    error = item.get("error")
    if error is not None and not isinstance(error, dict):
        exchange.doubts.add("odd error")
        exchange.unusable = exchange.unusable or "the error is no dictionary"
    elif isinstance(error, dict):
        exchange.failure = _failure(error, exchange)
    elif item.get("cancelled") is True:
        exchange.failure = ("NSURLErrorDomain", -999)
    if exchange.failure is not None and not isinstance(response, dict):
        return
    _read_response(response, exchange)
    if exchange.status is None:
        return
    exchange.response_url = values.other_url(response.get("URL"), exchange.url)
    data = item.get("data")
    body = data.get("data") if isinstance(data, dict) else None
    if isinstance(body, bytes):
        exchange.body = Body((body,))
    elif body is not None or data is not None and not isinstance(data, dict):
        exchange.unusable = exchange.unusable or "the body is no data"
    else:
        exchange.doubts.add("response without a body")
