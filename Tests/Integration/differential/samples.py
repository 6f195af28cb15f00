"""Random requests and answers, whose bytes are known before they are written in a format."""

from __future__ import annotations

import gzip
import json
import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

from .contents import CHARSETS
from .model import Headers

TEXTS = {
    "iso-8859-1": "Grüße – ça va? ñ",
    "iso-8859-2": "Zażółć gęślą jaźń",
    "iso-8859-5": "Привет, мир",
    "iso-8859-7": "Καλημέρα κόσμε",
    "iso-8859-9": "İstanbul'da güneş",
    "iso-8859-15": "Prix: 5 € œuvre",
    "windows-1250": "Příliš žluťoučký kůň",
    "windows-1251": "Съешь ещё этих булок",
    "windows-1252": "“Curly” – 5 €",
    "windows-1253": "Ξεσκεπάζω",
    "windows-1254": "ığüşöç",
    "windows-1255": "שלום עולם",
    "windows-1256": "مرحبا بالعالم",
    "windows-1257": "Ąžuolas ėjo",
    "windows-1258": "Đă ơ ₫",
    "koi8-r": "Привет, мир",
    "koi8-u": "Їжак і ґава",
    "gbk": "中文內容鎔",
    "gb2312": "简体中文",
    "gb18030": "汉字😀",
    "big5": "繁體中文",
    "euc-kr": "한국어 텍스트",
    "euc-jp": "日本語テキスト",
    "shift_jis": "日本語テキスト",
    "iso-2022-jp": "日本語",
    "utf-8": "日本語 😀 é",
    "utf-16le": "日本 é",
    "utf-16be": "日本 é",
    "utf-16": "日本 é",
    "us-ascii": "plain",
    "x-unknown": "é",
}
METHODS = ["GET", "GET", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "M-SEARCH"]
PATHS = [
    "/",
    "",
    "/a/b?c=d&e",
    "/a?q=%C3%A9%20+x",
    "/a//b/../c",
    "/search?q=a&q=b&empty=",
    "/é/日本?ü=ä",
    "/with space?x y",
    "/a%2Fb;p=1,2:3@4!$'()*",
    "/" + "long/" * 60,
]
HOSTS = ["https://api.example.com", "http://127.0.0.1:8080", "http://[::1]:81", "https://user:pw@example.org"]
HEADERS: list[tuple[str, str]] = [
    ("Accept", "*/*"),
    ("X-Empty", ""),
    ("X-Number", "42"),
    ("X-Long", "v" * 3000),
    ("X-List", 'a, b, "c, d"'),
    ("ETag", 'W/"a:b"'),
    ("Date", "Sun, 22 Nov 2026 10:00:00 GMT"),
    ("x-lower", "true"),
    ("X-Colon", "a: b # c"),
    ("X-Unicode", "Grüße 日本"),
    ("Vary", "Accept"),
]
STATUSES = [200, 200, 200, 201, 202, 204, 206, 301, 304, 400, 401, 404, 418, 429, 500, 503, 599]


@dataclass
class BodySample:
    """The bytes that a server sent, and what the body is after all content codings."""

    name: str
    # As sent, after content codings.
    sent: bytes
    # What the app receives; None if the codings cannot be undone.
    decoded: bytes | None
    # The characters, if the body is text.
    text: str | None = None
    headers: Headers = field(default_factory=list)


@dataclass
class Sample:
    """A request and its answer."""

    method: str
    url: str
    request_headers: Headers
    request_body: BodySample | None
    status: int
    headers: Headers
    body: BodySample


def sample(rng: random.Random) -> Sample:
    body = response_body(rng)
    status = rng.choice(STATUSES) if not body.sent else rng.choice([s for s in STATUSES if s not in (204, 304)])
    method = rng.choice(METHODS)
    request = text_body(rng) if method in ("POST", "PUT", "PATCH") else None
    return Sample(
        method=method,
        url=rng.choice(HOSTS) + rng.choice(PATHS),
        request_headers=_headers(rng) + (request.headers if request else []),
        request_body=request,
        status=status,
        headers=_headers(rng) + _cookies(rng) + body.headers,
        body=body,
    )


def _headers(rng: random.Random) -> Headers:
    return rng.sample(HEADERS, rng.randrange(5))


def _cookies(rng: random.Random) -> Headers:
    cookies = ["a=1; Path=/; Expires=Thu, 01 Jan 2026 00:00:00 GMT; HttpOnly", "b=2", "c=x,y; Secure"]
    return [("Set-Cookie", cookie) for cookie in rng.sample(cookies[:2], rng.choice([0, 0, 1, 2]))]


def text_body(rng: random.Random) -> BodySample:
    """A body in UTF-8."""
    text, kind = rng.choice(
        [
            ("", "text/plain"),
            ("hello\n", "text/plain"),
            ("two\r\nlines\r\n\r\n", "text/plain"),
            ("  leading, trailing  \n\n", "text/plain; charset=utf-8"),
            ("tab\there: 'quotes' \"double\" \\ # no comment", "text/plain"),
            ("---\nkey: value\n- item\n...\n", "text/yaml"),
            ("é日本😀\u2028\ufeff|", "text/plain; charset=UTF-8"),
            ("\ufeffbyte order mark", "text/plain"),
            ("\x01\x1b[0m\x7f control", "text/plain"),
            ("yes", "text/plain"),
            ("null", "application/json"),
            ("~", "text/plain"),
            ("0x1F", "text/plain"),
            ("2026-11-22", "text/plain"),
            ("[]", "application/json"),
            ('<p class="a">&amp;</p>', "text/html"),
            ("a=1&b=%20&c=+", "application/x-www-form-urlencoded"),
            ("x" * 100_000, "text/plain"),
            ("word " * 200, "text/plain"),
            (json.dumps(_json_value(rng)), "application/json"),
            (json.dumps(_json_value(rng), ensure_ascii=False, indent=2), "application/json; charset=utf-8"),
        ]
    )
    data = text.encode()
    return BodySample("text", data, data, text, [("Content-Type", kind)])


def _json_value(rng: random.Random) -> object:
    return {
        "id": rng.randrange(1 << 40),
        "name": rng.choice(["Ada", "Jörg 😀", "a/b\\c", 'q"q', ""]),
        "list": [1, 2.5, None, True, {"x": []}],
        "price": rng.choice([1.0, 0.1, 1e21, -0.5]),
    }


def binary_body(rng: random.Random) -> BodySample:
    data = rng.choice(
        [bytes(range(256)), b"\x89PNG\r\n\x1a\n" + rng.randbytes(40), b"\xff", b"\0", rng.randbytes(5000)]
    )
    return BodySample("binary", data, data, None, [("Content-Type", "application/octet-stream")])


def charset_body(rng: random.Random) -> BodySample:
    """Text in a character set that the header names."""
    name = rng.choice(list(TEXTS))
    text = TEXTS[name]
    codec = (CHARSETS.get(name) or (name,))[-1]
    try:
        data: bytes | None = text.encode(codec)
    except LookupError:
        data = None
    spelled = rng.choice([name, name.upper(), f'"{name}"'])
    headers = [("Content-Type", f"text/html; charset={spelled}")]
    return BodySample(f"character set {name}", data or text.encode(), data, text, headers)


def coded_body(rng: random.Random) -> BodySample:
    """A body with content codings, intact or damaged."""
    original = rng.choice([text_body, binary_body])(rng)
    plain = original.sent or b"not empty"
    name = rng.choice(list(CODINGS))
    value, sent, is_intact = CODINGS[name](plain, rng)
    headers = original.headers + [("Content-Encoding", item) for item in value]
    return BodySample(name, sent, plain if is_intact else None, None, headers)


def response_body(rng: random.Random) -> BodySample:
    return rng.choice([text_body, text_body, text_body, binary_body, charset_body, coded_body, coded_body])(rng)


def _raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


def _halves(data: bytes) -> bytes:
    middle = len(data) // 2
    return gzip.compress(data[:middle], mtime=0) + gzip.compress(data[middle:], mtime=0)


def _named_gzip(data: bytes) -> bytes:
    """A member with a file name, a comment, extra data and a check of the header."""
    head = b"\x1f\x8b\x08\x1e\0\0\0\0\0\xff" + b"\x04\0abcd" + b"name.txt\0" + b"a comment\0"
    check = (zlib.crc32(head) & 0xFFFF).to_bytes(2, "little")
    end = zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")
    return head + check + _raw_deflate(data) + end


def _changed(data: bytes, position: int) -> bytes:
    changed = bytearray(data)
    changed[position] ^= 0x55
    return bytes(changed)


def _zip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


# The values of Content-Encoding, the bytes that were sent, and whether they are intact.
CODINGS: dict[str, Callable[[bytes, random.Random], tuple[list[str], bytes, bool]]] = {
    "gzip": lambda data, rng: ([rng.choice(["gzip", "GZIP", " gzip ", "x-gzip"])], _zip(data), True),
    "gzip, stored": lambda data, rng: (["gzip"], gzip.compress(data, 0, mtime=0), True),
    "gzip, two members": lambda data, rng: (["gzip"], _halves(data), True),
    "gzip, an empty member": lambda data, rng: (["gzip"], _zip(data) + _zip(b""), True),
    "gzip, all parts of the header": lambda data, rng: (["gzip"], _named_gzip(data), True),
    "gzip, wrong CRC": lambda data, rng: (["gzip"], _changed(_zip(data), -8), False),
    "gzip, wrong size": lambda data, rng: (["gzip"], _changed(_zip(data), -4), False),
    "gzip, wrong CRC in the first member": lambda data, rng: (
        ["gzip"],
        _changed(_zip(data), -8) + _zip(b"more"),
        False,
    ),
    "gzip, cut off": lambda data, rng: (["gzip"], _zip(data)[: -rng.choice([1, 4, 8, 9])], False),
    "gzip, only the header": lambda data, rng: (["gzip"], _zip(data)[: rng.choice([3, 10])], False),
    "gzip, other bytes after it": lambda data, rng: (["gzip"], _zip(data) + b"garbage", False),
    "gzip twice, one field": lambda data, rng: (["gzip, gzip"], _zip(_zip(data)), True),
    "gzip twice, two fields": lambda data, rng: (["gzip", "gzip"], _zip(_zip(data)), True),
    "identity": lambda data, rng: (["identity"], data, True),
    "identity and gzip": lambda data, rng: (["identity, gzip"], _zip(data), True),
    "deflate, zlib": lambda data, rng: (["deflate"], zlib.compress(data), True),
    "deflate, raw": lambda data, rng: (["deflate"], _raw_deflate(data), True),
    "deflate, wrong Adler-32": lambda data, rng: (["deflate"], _changed(zlib.compress(data), -1), False),
    "deflate, cut off": lambda data, rng: (["deflate"], zlib.compress(data)[:-5], False),
    "deflate in gzip": lambda data, rng: (["deflate, gzip"], _zip(zlib.compress(data)), True),
    "gzip in deflate": lambda data, rng: (["gzip, deflate"], zlib.compress(_zip(data)), True),
    "zstd": lambda data, rng: (["zstd"], b"\x28\xb5\x2f\xfd" + rng.randbytes(30), False),
    "br": lambda data, rng: (["br"], b"\x8b\xff\x80" + rng.randbytes(30), False),
}
