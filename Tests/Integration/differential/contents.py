"""Bodies as they were sent: base64, content codings (RFC 9110, 1950 to 1952), character sets (WHATWG Encoding)."""

from __future__ import annotations

import binascii
import codecs
import re
import zlib
from email.message import Message

from .model import Body, Headers, Unusable

GZIP = b"\x1f\x8b\x08"
ZSTANDARD = b"\x28\xb5\x2f\xfd"

# Labels of the WHATWG standard, and the codecs that give the bytes. If several differ, all of them are in use.
CHARSETS: dict[str, tuple[str, ...]] = {
    "us-ascii": ("ascii", "cp1252"),
    "ascii": ("ascii", "cp1252"),
    "iso-8859-1": ("latin-1", "cp1252"),
    "latin1": ("latin-1", "cp1252"),
    "iso-8859-9": ("iso8859-9", "cp1254"),
    "iso-8859-11": ("iso8859-11", "cp874"),
    "tis-620": ("tis-620", "cp874"),
    "gb2312": ("gb2312", "gbk", "gb18030"),
    "gbk": ("gbk", "gb18030"),
    "gb18030": ("gb18030",),
    "big5": ("big5", "cp950", "big5hkscs"),
    "euc-kr": ("euc-kr", "cp949"),
    "ks_c_5601-1987": ("euc-kr", "cp949"),
    "shift_jis": ("shift_jis", "cp932"),
    "sjis": ("shift_jis", "cp932"),
    "windows-31j": ("cp932",),
    "euc-jp": ("euc-jp",),
    "iso-2022-jp": ("iso2022-jp",),
    "koi8-r": ("koi8-r",),
    "koi8-u": ("koi8-u",),
    "macintosh": ("mac-roman",),
    "utf-16le": ("utf-16-le",),
    "utf-16be": ("utf-16-be",),
    "utf-32le": ("utf-32-le",),
    "utf-32be": ("utf-32-be",),
    **{f"iso-8859-{n}": (f"iso8859-{n}",) for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"windows-125{n}": (f"cp125{n}",) for n in range(9)},
}


def header(headers: Headers, name: str) -> str | None:
    """The value of a field; several fields are one list (RFC 9110 section 5.3)."""
    values = [value for key, value in headers if key.lower() == name]
    return ", ".join(values) if values else None


def charset(content_type: str | None) -> str | None:
    if not content_type:
        return None
    message = Message()
    message["Content-Type"] = content_type
    name = message.get_param("charset")
    return name.strip().lower() if isinstance(name, str) and name.strip() else None


def base64_bytes(text: str, doubts: set[str]) -> bytes:
    """Base64 with line breaks; raises Unusable if it is anything else."""
    compact = re.sub(r"[ \t\r\n]", "", text)
    bare = compact.rstrip("=")
    if len(bare) % 4 > 1 and len(compact) % 4 > 0:
        doubts.add("padding of base64")
        compact = bare + "=" * (4 - len(bare) % 4)
    try:
        return binascii.a2b_base64(compact.encode("ascii"), strict_mode=True)
    except (ValueError, UnicodeEncodeError):
        raise Unusable("the base64 is invalid") from None


def encoded(text: str, content_type: str | None, doubts: set[str]) -> Body:
    """The bytes of a text that was decoded with the character set of a Content-Type."""
    try:
        plain = text.encode("utf-8")
    except UnicodeEncodeError:
        doubts.add("lone surrogate")
        plain = text.encode("utf-8", "replace")
        return Body((plain, text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()))
    name = charset(content_type)
    if name is None or name in ("utf-8", "utf8", "unicode-1-1-utf-8"):
        return Body((plain,))
    if name in ("utf-16", "utf-32"):
        doubts.add("byte order")
        little, big = text.encode(f"{name}-le"), text.encode(f"{name}-be")
        marks = ("\ufeff".encode(f"{name}-le"), "\ufeff".encode(f"{name}-be"))
        return Body((little, big, marks[0] + little, marks[1] + big))
    if text.isascii() and name not in CHARSETS:
        # Every character set in use for HTTP text contains ASCII, except for UTF-16 and UTF-32.
        doubts.add("unknown character set")
        return Body((plain,))
    names = CHARSETS.get(name)
    if names is None:
        raise Unusable(f"the character set {name} is unknown")
    choices = []
    for codec in names:
        try:
            choices.append(text.encode(codec))
        except UnicodeEncodeError:
            continue
    if not choices:
        raise Unusable(f"the text has characters that {name} does not have")
    if len(choices) < len(names) or len(set(choices)) > 1:
        # Browsers and libraries extend these sets in different ways.
        doubts.add("extended character set")
    return Body(tuple(dict.fromkeys(choices)))


def codings(headers: Headers) -> list[str]:
    """The content codings, in the order in which they were applied."""
    listed = (header(headers, "content-encoding") or "").lower().split(",")
    return [coding.strip() for coding in listed if coding.strip() not in ("", "identity", "none")]


def decoded(data: bytes, headers: Headers, doubts: set[str], *, is_text: bool = False) -> bytes:
    """Undoes the content codings that were still applied when the body was recorded; raises Unusable if it cannot.

    A body that was recorded as text was decoded by the recorder if its coding is not supported here.
    """
    undone = 0
    for coding in reversed(codings(headers)):
        if not data:
            break
        before = data
        if coding in ("gzip", "x-gzip"):
            data = gunzipped(data, doubts) if data.startswith(GZIP[:2]) else data
        elif coding == "deflate":
            data = inflated(data, doubts)
        elif coding in ("br", "zstd", "compress", "x-compress"):
            if is_text:
                doubts.add("compressed text")
            else:
                _check_text(data, coding, doubts)
        else:
            # An unknown coding may be a mistake of the server.
            doubts.add("unknown content coding")
        if data is before and undone:
            doubts.add("fewer codings than named")
        undone += data is not before
    return data


def _check_text(data: bytes, coding: str, doubts: set[str]) -> None:
    """Accepts text as decoded already, and refuses bytes that may be compressed."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unusable(f"the body may be compressed with {coding}") from None
    if data.startswith(ZSTANDARD):
        raise Unusable("the body is compressed with zstd")
    doubts.add("compressed text")


def gunzipped(data: bytes, doubts: set[str]) -> bytes:
    """All members of a gzip file, each with its checks."""
    result = b""
    is_first = True
    while data:
        if not is_first and not data.startswith(GZIP):
            # Most tools ignore them, as all checks of the members hold.
            doubts.add("bytes after gzip")
            break
        is_first = False
        member = zlib.decompressobj(wbits=31)
        try:
            result += member.decompress(data)
        except zlib.error as error:
            raise Unusable(f"the gzip data is damaged: {error}") from None
        if not member.eof:
            raise Unusable("the gzip data is cut off")
        data = member.unused_data
    return result


def inflated(data: bytes, doubts: set[str]) -> bytes:
    """`deflate`: the zlib format, or the raw format that some servers send."""
    problems = []
    for wbits in (15, -15):
        stream = zlib.decompressobj(wbits=wbits)
        try:
            result = stream.decompress(data)
        except zlib.error as error:
            problems.append(str(error))
            continue
        if stream.eof and not stream.unused_data:
            if wbits < 0 and _is_text(data):
                # Short text can be a valid raw stream by accident.
                doubts.add("text that inflates")
            return result
        problems.append("the data is cut off" if not stream.eof else "other bytes follow")
    if data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0 and not _is_text(data):
        raise Unusable(f"the zlib data is damaged: {problems[0]}")
    if not _is_text(data):
        doubts.add("binary under deflate")
    elif data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0:
        doubts.add("text that inflates")
    return data


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
        return not re.search(rb"[\0-\x08\x0e-\x1f]", data)
    except UnicodeDecodeError:
        return False


def is_known_codec(name: str) -> bool:
    try:
        codecs.lookup(name)
        return True
    except LookupError:
        return False
