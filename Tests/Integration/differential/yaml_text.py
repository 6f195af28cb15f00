"""Parses YAML with libyaml, through PyYAML, into plain values; objects of other types are refused."""

from __future__ import annotations

import binascii
import re
from typing import Any

from .model import Refused
from .values import Spelled

try:
    import yaml
except ImportError:
    yaml = None  # type: ignore[assignment]

is_available = yaml is not None
PREFIX = "tag:yaml.org,2002:"
TEXTS = {PREFIX + name for name in ("str", "timestamp", "value", "merge", "python/unicode", "python/str")}


class BrokenBinary(str):
    """A `!!binary` scalar that is not base64."""


class Foreign:
    """A value with a tag of another tool."""


def contains_foreign(value: Any) -> bool:
    if isinstance(value, (dict, list)):
        return any(contains_foreign(item) for item in (value.values() if isinstance(value, dict) else value))
    return isinstance(value, Foreign)


def document(data: bytes) -> tuple[Any, set[str]]:
    """The document, and the names of policies for which Rewind may refuse it; raises Refused."""
    loader_class = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    doubts: set[str] = set()
    if b"\r" in data.replace(b"\r\n", b""):
        doubts.add("lone carriage returns")
    try:
        if any(isinstance(token, (yaml.AnchorToken, yaml.AliasToken)) for token in yaml.scan(data, loader_class)):
            doubts.add("YAML anchors")
        node = yaml.compose(data, Loader=loader_class)
        return _value(node, doubts, 0), doubts
    except (yaml.YAMLError, UnicodeError, RecursionError, ValueError) as error:
        raise Refused(f"no YAML: {' '.join(str(error).split())}") from None


def _value(node: Any, doubts: set[str], depth: int) -> Any:
    if node is None:
        return None
    if depth > 64:
        raise Refused("the YAML is nested too deeply")
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, doubts)
    if node.tag.startswith("!ruby/struct:") and isinstance(node, yaml.MappingNode):
        # VCR 1 wrote structures, which are mappings.
        doubts.add("structures of Ruby")
    elif node.tag not in (PREFIX + "seq", PREFIX + "map"):
        return _foreign(node.tag)
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, doubts, depth + 1) for item in node.value]
    pairs = [(_value(key, doubts, depth + 1), _value(value, doubts, depth + 1)) for key, value in node.value]
    if any(isinstance(key, (list, dict)) for key, _ in pairs):
        raise Refused("a key is no text")
    return {_key(key): value for key, value in pairs}


def _key(key: Any) -> str:
    return key.decode("utf-8", "replace") if isinstance(key, bytes) else str(key)


def _foreign(tag: str) -> Foreign:
    if re.search("python/(object|name|module)|ruby/object", tag):
        raise Refused(f"the tag {tag} makes an object")
    return Foreign()


def _scalar(node: Any, doubts: set[str]) -> Any:
    kind = node.tag
    if kind in TEXTS or kind == "!":
        return node.value
    if kind == PREFIX + "null":
        return None
    if kind == PREFIX + "int":
        return int(node.value) if node.value.lstrip("+-").isdigit() else node.value
    if kind == PREFIX + "float":
        return Spelled(node.value) if re.fullmatch(r"[-+]?[0-9]+\.[0-9]*(e[-+][0-9]+)?", node.value) else node.value
    if kind == PREFIX + "bool":
        return {"true": True, "false": False}.get(node.value.lower(), node.value)
    if kind in (PREFIX + "binary", "!binary"):
        try:
            compact = "".join(node.value.split()).encode("ascii")
            return binascii.a2b_base64(compact, strict_mode=True)
        except (ValueError, UnicodeEncodeError):
            return BrokenBinary(node.value)
    return _foreign(kind)
