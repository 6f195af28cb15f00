"""Validates every archive in a folder with the HAR 1.2 schema and imports it with mitmproxy."""

import json
import pathlib
import sys

import jsonschema
from mitmproxy.io import FlowReader

SCHEMA = json.loads(pathlib.Path(__file__).with_name("har-1.2.schema.json").read_text())


def check(path: pathlib.Path) -> int:
    """Validates an archive and returns the number of flows that mitmproxy reads from it; raises an error if it is invalid."""
    archive = json.loads(path.read_bytes())
    jsonschema.Draft7Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(archive)
    entries = archive["log"]["entries"]
    with path.open("rb") as file:
        flows = list(FlowReader(file).stream())
    assert len(flows) == len(entries), f"{path}: {len(entries)} entries, {len(flows)} flows"
    for flow, entry in zip(flows, entries):
        assert flow.request.method == entry["request"]["method"], path
        assert flow.response.status_code == entry["response"]["status"], path
        text = entry["response"]["content"].get("text")
        if text and "encoding" not in entry["response"]["content"]:
            assert flow.response.get_text(strict=False), f"{path}: missing body"
    return len(flows)


def main(folder: str) -> None:
    paths = sorted(pathlib.Path(folder).rglob("*.har"))
    assert paths, f"no archives in {folder}"
    count = sum(check(path) for path in paths)
    print(f"archives: {len(paths)} archives with {count} entries are valid; mitmproxy imports them")


main(sys.argv[1])
