"""Checks the sources and the tests against Docs/Architecture.md and prints every violation.

- A folder of the engine uses only types of the folders above it in the list under `Rewind/`.
- The list contains exactly the folders of every module.
- A source file has at least 30 lines and at most 450.
- Platform conditions are only in the files that Docs/ApplePlatforms.md lists.
- Nothing measures or waits by the wall clock, which can be set back.
- A test file has one suite, named like the file. Files without tests are in a folder Support.
- Every suite that a document names exists.
"""

import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
TESTS = ROOT / "Tests"
PLAN = (ROOT / "Docs/Architecture.md").read_text()
APPLE = (ROOT / "Docs/ApplePlatforms.md").read_text()

MAXIMUM = 450
MINIMUM = 30
# Shorter files, with the reason.
SHORT = {
    "RewindPlugin/RewindPlugin.swift": "a separate module that only starts the command",
}

# Literals come first, as they may contain `//`, for example in a URL.
NO_CODE = re.compile(r'#*"""(?:.|\n)*?"""#*|#*"(?:\\.|[^"\\\n])*"#*|//[^\n]*|/\*(?:.|\n)*?\*/')
DECLARATION = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)")
# Foundation's classes, whose subclasses in Rewind have the same names.
OF_FOUNDATION = {"HTTPCookieStorage", "URLCache", "URLCredentialStorage"}

TIME_OF_DAY = re.compile(
    r"\bDate\(\)|\bDate\.now\b|\btimeIntervalSinceNow\b|\bgettimeofday\b|\bDispatchWallTime\b|\bwallDeadline\b"
    r"|\bwait\(until:"
)
# The clock itself, the default date of an interaction, and a run loop, whose API takes dates.
MAY_USE_WALL_CLOCK = {"Rewind/System/Clocks.swift", "Rewind/Model/Interaction.swift", "Rewind/Stubber/TestEnd.swift"}

# Platform conditions; a condition around an import does not count.
IMPORT = re.compile(r"^ *#if canImport\((\w+)\)\n *(?:@\w+ )?import \1\n(?: *#else\n *import \w+\n)? *#endif\n", re.M)
PLATFORM = re.compile(r"#(?:else)?if\b[^\n]*\b(?:canImport|os)\(")

# The folders of test targets.
TARGETS = [*sorted(TESTS.glob("Rewind*Tests")), TESTS / "Recipes", TESTS / "Documentation/Samples", TESTS / "Examples/Tests", TESTS / "Collisions/Tests"]
# Top-level declarations, indented once if the whole file is in a platform condition.
TOP_LEVEL = re.compile(
    r"^(?:    )?(?:@\w+(?:\(.*?\))?\s+)*(?:(?:private|fileprivate|package|public|final)\s+)*"
    r"(?:struct|class|enum|actor|extension)\s+(\w+)",
    re.M,
)
HAS_TEST = re.compile(r"@Test\b|\bfunc test[A-Z]\w*\(\)")
DISPLAY_NAME = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')
# Files whose suites have other names, with the reason.
OTHER_SUITES = {
    "Documentation/Samples/ReadmeSettingsTests.swift": "adds tests to the test cases of the README",
}
# The documents that refer to tests.
NAMING_TESTS = ["Architecture.md", "ApplePlatforms.md", "Decisions.md", "Contributing.md", "../Sources/Rewind/Rewind.docc/Fidelity.md", "../Sources/Rewind/Rewind.docc/Reliability.md"]


# A type nested in one of these belongs to the folder that declares it.
NAMESPACE = re.compile(r"\b(?:Stubber|RequestMatcher)(?:\.(?=[A-Z])|(?<=^extension Stubber)(?= \{)|(?<=^extension RequestMatcher)(?= \{))", re.M)


def code(text):
    """Returns the text without comments and the content of string literals."""
    return NO_CODE.sub(lambda found: '""' if '"' in found.group()[:4] else "", text)


def modules():
    """Returns the text on each module in the document's list below Sources."""
    listed = re.search(r"^    Sources/\n((?:      .*\n)+)", PLAN, re.M).group(1)
    return dict(re.findall(r"^      (\w+)/(.*\n(?:       .*\n)*)", listed, re.M))


def folders(found):
    """Checks that the document lists exactly the folders of the modules."""
    listed = modules()
    there = {path.name for path in SOURCES.iterdir() if path.is_dir()}
    for name in sorted(there.symmetric_difference(listed)):
        found.append(f"{name} is only in one of Docs/Architecture.md and Sources")
    for module in sorted(there.intersection(listed)):
        named = set(re.findall(r"\b([A-Z]\w*)/", listed[module]))
        there_in_module = {path.name for path in (SOURCES / module).rglob("*") if path.is_dir() and path.suffix != ".docc"}
        for name in sorted(there_in_module.symmetric_difference(named)):
            found.append(f"{name} is only in one of Docs/Architecture.md and Sources/{module}")


def dependencies(found):
    """Checks that folders of the engine depend only on folders above them in the list.

    - Returns: the number of folders and of dependencies.
    """
    engine = SOURCES / "Rewind"
    order = re.findall(r"^        (\w+)/", modules()["Rewind"], re.M)
    files = {path: code(path.read_text()) for path in engine.rglob("*.swift")}
    folder = {path: path.relative_to(engine).parts[0] for path in files}
    homes = {}
    for path, text in files.items():
        for name in set(DECLARATION.findall(text)) - OF_FOUNDATION:
            homes.setdefault(name, set()).add(folder[path])
    uses = {}
    for path, text in files.items():
        for name in set(re.findall(r"\b[A-Z]\w*\b", NAMESPACE.sub("", text))):
            # Ignores names that several folders declare, for example of nested types.
            if len(homes.get(name, ())) != 1:
                continue
            (home,) = homes[name]
            if home != folder[path]:
                uses.setdefault((folder[path], home), set()).add((name, path.name))
    for (origin, home), names in sorted(uses.items()):
        if origin in order and home in order and order.index(home) > order.index(origin):
            names = ", ".join(f"{name} in {file}" for name, file in sorted(names))
            found.append(f"{origin} must not depend on {home}: {names}")
    return len(order), len(uses)


def sources(found):
    """Checks the length of source files, uses of the wall clock, and platform conditions.

    - Returns: the number of files and their median length.
    """
    lengths = {}
    for path in sorted(SOURCES.rglob("*.swift")):
        text = path.read_text()
        place = str(path.relative_to(SOURCES))
        lengths[place] = len(text.splitlines())
        if lengths[place] > MAXIMUM:
            found.append(f"Sources/{place} has {lengths[place]} lines, more than {MAXIMUM}")
        if lengths[place] < MINIMUM and place not in SHORT:
            found.append(f"Sources/{place} has {lengths[place]} lines, fewer than {MINIMUM}")
        use = TIME_OF_DAY.search(code(text))
        if use and place not in MAY_USE_WALL_CLOCK:
            found.append(f"Sources/{place} uses {use.group()}; use Deadline or ContinuousClock to measure, WallClock for dates")
        if not PLATFORM.search(IMPORT.sub("", text)) or place.startswith("RewindBenchmarks/"):
            continue
        named = place.removeprefix("Rewind/")
        if f"`{named}`" not in APPLE and not named.startswith("URLLoading/Linux/"):
            found.append(f"Sources/{place} has a platform condition but is not listed in Docs/ApplePlatforms.md")
    for place in sorted(SHORT.keys() - lengths.keys()):
        found.append(f"{place} is in SHORT of Tests/Integration/architecture.py but does not exist")
    return len(lengths), statistics.median(lengths.values())


def suites(text):
    """Returns the names of the types with tests in a test file."""
    text = code(text)
    starts = list(TOP_LEVEL.finditer(text))
    # Indented declarations are top-level only if the whole file is in a platform condition.
    starts = [start for start in starts if not start.group().startswith(" ")] or starts
    ends = [start.start() for start in starts[1:]] + [len(text)]
    return {start.group(1) for start, end in zip(starts, ends) if HAS_TEST.search(text, start.end(), end)}


def tests(found):
    """Checks that a failed test can be found by its name: suites are named like files, and titles are unique."""
    homes, names = {}, {}
    for path in (path for target in TARGETS for path in sorted(target.rglob("*.swift"))):
        text = path.read_text()
        place = path.relative_to(TESTS)
        declared = suites(text)
        for name in declared:
            homes.setdefault(name, set()).add(str(place))
        for name in DISPLAY_NAME.findall(text):
            names.setdefault(name, set()).add(str(place))
        if re.search(r'@Suite\("', text):
            found.append(f"Tests/{place} has a suite with a display name")
        if "Support" in place.parts:
            if any("Fixture" not in name for name in declared):
                found.append(f"Tests/{place} has tests; Support may contain helpers and fixtures only")
        elif not declared and str(place) not in OTHER_SUITES:
            found.append(f"Tests/{place} has no tests; move it to a folder Support")
        elif declared != {path.stem} and str(place) not in OTHER_SUITES:
            found.append(f"Tests/{place} has the suites {', '.join(sorted(declared))}; expected {path.stem}")
    for name, places in sorted((homes | names).items()):
        if len(places) > 1:
            found.append(f"“{name}” is used by {' and '.join(sorted(places))}")
    helpers = [path for path in TESTS.rglob("*.swift") if "Support" in path.relative_to(TESTS).parts]
    for path in sorted(helpers):
        if (length := len(path.read_text().splitlines())) > MAXIMUM:
            found.append(f"{path.relative_to(ROOT)} has {length} lines, more than {MAXIMUM}")
    for document in NAMING_TESTS:
        for name in re.findall(r"`(\w+(?:Tests|Canaries|Fixtures))[`.(]", (ROOT / "Docs" / document).resolve().read_text()):
            if name not in homes and not (TESTS / name).is_dir() and name != "DocumentationTests":
                found.append(f"{document} refers to {name}, which does not exist")


def main():
    found = []
    folders(found)
    count, uses = dependencies(found)
    files, median = sources(found)
    tests(found)
    for problem in found:
        print(f"architecture: {problem}", file=sys.stderr)
    print(f"architecture: {uses} dependencies between {count} folders, {files} files, median {median:.0f} lines")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
