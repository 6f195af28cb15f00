"""Holds the rooms of the engine to the plan in Docs/Architecture.md: arrows point down, and files stay small.

A room may name the types of rooms that stand above it in the list under `Rewind/`, and no others. What the list does not
have is no room. A file has at most 450 lines. Conditions on the platform are in the files that the plan names. Nobody measures or waits by the time of day, which people and time servers
set back.
"""

import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECLARATION = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)")
LONGEST = 450
TIME_OF_DAY = re.compile(
    r"\bDate\(\)|\bDate\.now\b|\btimeIntervalSinceNow\b|\bgettimeofday\b|\bDispatchWallTime\b|\bwallDeadline\b"
    r"|\bwait\(until:"
)
# What follows a platform's name is another path; an import is not.
IMPORT = re.compile(r"^ *#if canImport\((\w+)\)\n *(?:@\w+ )?import \1\n(?: *#else\n *import \w+\n)? *#endif\n", re.M)
PLATFORM = re.compile(r"#(?:else)?if\b[^\n]*\b(?:canImport|os)\(")
# Foundation's classes; subclasses of ours have the same names, so that an app does not see others.
OF_FOUNDATION = {"HTTPCookieStorage", "URLCache", "URLCredentialStorage"}
# The clock itself, what a person who makes an interaction means by now, and a run loop, which takes nothing but dates.
ASKS_FOR_IT = {"System/Clocks.swift", "Model/Interaction.swift", "Scopes/CassetteScope.swift"}


def code(text):
    """The text without comments and string literals, in which a name is only a word."""
    text = re.sub(r'#*"""(?:.|\n)*?"""#*', '""', text)
    text = re.sub(r"//[^\n]*|/\*(?:.|\n)*?\*/", "", text)
    return re.sub(r'#*"(?:\\.|[^"\\\n])*"#*', '""', text)


def rooms():
    """The rooms of the engine as the plan lists them, the lowest first."""
    plan = (ROOT / "Docs/Architecture.md").read_text()
    block = re.search(r"^      Rewind/.*\n((?:        .*\n)+)", plan, re.M).group(1)
    return re.findall(r"^        (\w+)/", block, re.M)


def main():
    engine = ROOT / "Sources/Rewind"
    order = rooms()
    problems = []
    standing = {path.name for path in engine.iterdir() if path.is_dir()}
    for name in sorted(standing.symmetric_difference(order)):
        problems.append(f"{name} is in Docs/Architecture.md or in Sources/Rewind, and not in both")
    files = {path: code(path.read_text()) for path in engine.rglob("*.swift")}
    room = {path: path.relative_to(engine).parts[0] for path in files}
    homes = {}
    for path, text in files.items():
        for name in set(DECLARATION.findall(text)) - OF_FOUNDATION:
            homes.setdefault(name, set()).add(room[path])
    arrows = {}
    for path, text in files.items():
        for name in set(re.findall(r"\b[A-Z]\w*\b", text)):
            # A name that several rooms declare, as of a nested type, tells nothing.
            if len(homes.get(name, ())) != 1:
                continue
            (home,) = homes[name]
            if home != room[path]:
                arrows.setdefault((room[path], home), set()).add((name, path.name))
    for (origin, home), uses in sorted(arrows.items()):
        if origin in order and home in order and order.index(home) > order.index(origin):
            names = ", ".join(f"{name} in {file}" for name, file in sorted(uses))
            problems.append(f"{origin} must not know {home}: {names}")
    sources = list((ROOT / "Sources").rglob("*.swift"))
    for path in sources:
        found = TIME_OF_DAY.search(code(path.read_text()))
        if found and not any(str(path).endswith(name) for name in ASKS_FOR_IT):
            problems.append(f"{path.relative_to(ROOT)} has {found.group()}; who measures asks Deadline or ContinuousClock, "
                            "and who dates asks WallClock")
    plan = (ROOT / "Docs/Architecture.md").read_text()
    for path in sources:
        place = str(path.relative_to(ROOT / "Sources")).removeprefix("Rewind/")
        if not PLATFORM.search(IMPORT.sub("", path.read_text())) or place.startswith("RewindBenchmarks/"):
            continue
        if f"`{place}`" not in plan and not re.fullmatch(r"URLLoading/Linux/.*\.swift", place):
            problems.append(f"{path.relative_to(ROOT)} has a condition on the platform, and Docs/Architecture.md does not "
                            "name the file")
    lengths = {path: len(path.read_text().splitlines()) for path in sources}
    for path, length in sorted(lengths.items()):
        if length > LONGEST:
            problems.append(f"{path.relative_to(ROOT)} has {length} lines")
    for problem in problems:
        print(f"architecture: {problem}", file=sys.stderr)
    median = statistics.median(lengths.values())
    print(f"architecture: {len(arrows)} arrows between {len(order)} rooms, {len(sources)} files of {median:.0f} lines")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
