"""Reads a cassette file of any format, independently of Rewind."""

from __future__ import annotations

import pathlib
import re

from . import har, heads, plists, seeds, values, vcr, yaml_text
from .model import Recording, Refused


def read(path: pathlib.Path) -> Recording:
    """Reads the file; raises Refused."""
    recording = _detected(path)
    if recording.exchanges and all(item.unusable or item.doubts for item in recording.exchanges):
        recording.doubts.add("no interaction without doubt")
    return recording


def _detected(path: pathlib.Path) -> Recording:
    """Detects the format by the content."""
    data = path.read_bytes()
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"{", b"[")):
        return _json(data, path)
    if start.startswith((b"<?xml", b"<plist", b"<!DOCTYPE plist")):
        return plists.recording(data)
    if heads.is_curl(data):
        return heads.curl_recording(data)
    if heads.is_mocktail(data):
        return heads.mocktail_recording(data)
    if re.search(rb"(?:^|[\r\n]) *(- )?([\"']?)(interactions|http_interactions|request)\2 *:", start[: 1 << 16]):
        return _yaml(data)
    raise Refused("no known format")


def _json(data: bytes, path: pathlib.Path) -> Recording:
    root = values.document(data, trailing_commas=data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["))
    if har.is_archive(root):
        return har.recording(root, path.parent)
    if vcr.is_cassette(root):
        return vcr.recording(root, "VCR JSON")
    if vcr.is_early_vcrpy(root):
        return vcr.early_recording(root)
    if seeds.is_dvr(root):
        return seeds.dvr_recording(root)
    if seeds.is_vinyl(root):
        return seeds.vinyl_recording(root)
    if seeds.is_laserdisc(root):
        return seeds.laserdisc_recording(root)
    raise Refused("no known format")


def _yaml(data: bytes) -> Recording:
    if not yaml_text.is_available:
        raise Refused("PyYAML is not installed")
    root, doubts = yaml_text.document(data)
    if vcr.is_php_list(root):
        recording = vcr.php_recording(root)
    elif vcr.is_cassette(root):
        recording = vcr.recording(root, "VCR YAML")
    else:
        raise Refused("no known format")
    recording.doubts |= doubts
    if not data.endswith((b"\n", b"\r")) and isinstance(root, dict) and next(iter(root), None) == "version":
        recording.doubts.add("no end mark")
    return recording
