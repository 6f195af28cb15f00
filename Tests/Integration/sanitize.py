"""Summarizes a test run with a sanitizer.

`sanitize.py FOLDER` reads the lists of tests, the output of XCTest, the events of Swift Testing and the sanitizer's
reports that sanitize.sh wrote to a folder. Exits with 1 if there is a report, or a test that neither ran nor was skipped.
"""

import collections
import json
import pathlib
import re
import sys

PLACE = re.compile(r"/[^/]+:\d+:\d+$")
CASE = re.compile(r"^Test Case '(\w+)\.(\w+)' (passed|failed|skipped)")
REASON = re.compile(r"^.*: (\w+)\.(\w+) : Test skipped(?: - (.*))?$")


def of_xctest(log):
    """Returns the names of the tests that ended, and the reason for each skipped test."""
    ended, skipped = set(), {}
    for line in log.read_text(errors="replace").splitlines():
        if found := REASON.match(line):
            skipped["/".join(found.group(1, 2))] = found[3] or "no reason given"
        elif found := CASE.match(line):
            ended.add("/".join(found.group(1, 2)))
    return ended, skipped


def of_swift_testing(events):
    """Returns the same for a file with one event per line; a skipped suite represents its tests."""
    functions, ended, skipped = set(), set(), {}
    for line in filter(None, events.read_text().split("\n")):
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "test" and payload["kind"] == "function":
            functions.add(payload["id"])
        elif payload["kind"] == "testEnded":
            ended.add(payload["testID"])
        elif payload["kind"] == "testSkipped":
            text = payload["messages"][0]["text"]
            skipped[payload["testID"]] = text.partition(' skipped: ')[2].strip('"') or "no reason given"
    return ended & functions, {name: reason for name, reason in skipped.items() if name in functions}


def summarize(name, listed, ended, skipped):
    """Prints a summary of the listed tests and returns those that neither ran nor were skipped."""
    silent = sorted(set(listed) - ended - set(skipped))
    print(f"{name}: {len(listed)} tests, {len(ended - set(skipped))} passed or failed, {len(skipped)} skipped")
    for reason, count in sorted(collections.Counter(skipped.values()).items()):
        print(f"  skipped {count}: {reason}")
    for test in silent:
        print(f"  did not run: {test}")
    return silent


def main():
    folder = pathlib.Path(sys.argv[1])
    listed = (folder / "xctest.list").read_text().split()
    ended, skipped = of_xctest(folder / "xctest.log")
    silent = summarize("XCTest", [name.partition(".")[2] for name in listed], ended, skipped)
    ended, skipped = set(), {}
    for events in folder.glob("*.events"):
        of_target = of_swift_testing(events)
        ended |= {PLACE.sub("", name) for name in of_target[0]}
        skipped |= {PLACE.sub("", name): reason for name, reason in of_target[1].items()}
    silent += summarize("Swift Testing", (folder / "testing.list").read_text().strip().split("\n"), ended, skipped)
    reports = sorted(folder.glob("report.*"))
    for report in reports:
        print(f"\n{report.read_text(errors='replace')[:20_000]}")
    print(f"{len(reports)} sanitizer reports")
    sys.exit(1 if silent or reports else 0)


main()
