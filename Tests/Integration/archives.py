"""Validates the archives of two folders with the HAR 1.2 schema, and imports those of the first one with mitmproxy.

`--large PATH` writes a file of Ruby's VCR with large bodies instead.
"""

import json
import pathlib
import sys

import jsonschema
from mitmproxy.io import FlowReader

SCHEMA = json.loads(pathlib.Path(__file__).with_name("har-1.2.schema.json").read_text())


def validate(path: pathlib.Path) -> list:
    """Validates an archive and returns its entries; raises an error if it is invalid."""
    archive = json.loads(path.read_bytes())
    try:
        jsonschema.Draft7Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(archive)
    except jsonschema.ValidationError as error:
        raise AssertionError(f"{path}: {list(error.absolute_path)}: {error.message}") from None
    return archive["log"]["entries"]


def check(path: pathlib.Path) -> int:
    """Validates an archive and returns the number of flows that mitmproxy reads from it; raises an error if it is invalid."""
    entries = validate(path)
    with path.open("rb") as file:
        flows = list(FlowReader(file).stream())
    assert len(flows) == len(entries), f"{path}: {len(entries)} entries, {len(flows)} flows"
    for flow, entry in zip(flows, entries):
        assert flow.request.method == entry["request"]["method"], path
        assert flow.response.status_code == entry["response"]["status"], path
        content = entry["response"]["content"]
        if content.get("text") and "encoding" not in content:
            assert flow.response.get_text(strict=False), f"{path}: missing body"
        if path.name == "inline.har":
            assert len(flow.response.content) == content["size"] > 0, f"{path}: a body is not in the archive"
    return len(flows)


def large(path: str) -> None:
    """Writes a recording with a large text and a large image."""
    bodies = [("text/plain", {"string": "x" * 40_000}), ("image/png", {"base64_string": "AAEC" * 9_000})]
    interactions = [
        {
            "request": {"method": "get", "uri": f"https://example.com/{number}"},
            "response": {
                "status": {"code": 200, "message": "OK"},
                "headers": {"Content-Type": [type]},
                "body": {"encoding": "UTF-8", **body},
            },
        }
        for number, (type, body) in enumerate(bodies)
    ]
    pathlib.Path(path).write_text(json.dumps({"http_interactions": interactions, "recorded_with": "VCR 6.0.0"}))


def main(written: str, converted: str) -> None:
    paths = sorted(pathlib.Path(written).rglob("*.har"))
    assert paths, f"no archives in {written}"
    count = sum(check(path) for path in paths)
    print(f"archives: {len(paths)} archives with {count} entries are valid; mitmproxy imports them")
    paths = sorted(pathlib.Path(converted).rglob("*.har"))
    assert paths, f"no archives in {converted}"
    count = sum(len(validate(path)) for path in paths)
    print(f"archives: {len(paths)} converted archives with {count} entries are valid")


if sys.argv[1] == "--large":
    large(sys.argv[2])
else:
    main(sys.argv[1], sys.argv[2])
