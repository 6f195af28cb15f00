"""Holds the sources and the tests to the layout in Docs/Architecture.md, and prints every violation.

- A folder of the engine names types of the folders above it in the list under `Rewind/`, and of no others.
- The list names every folder of every module, and none that is not there.
- A source file has at least 30 lines and at most 450.
- Conditions on the platform are in the files that Docs/ApplePlatforms.md names.
- Nobody measures or waits by the time of day, which people and time servers set back.
- A test file has one suite, named like the file. Files without tests are in a folder Support.
- A test or a suite that a document names exists.
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
# Shorter files, each with the reason why nothing else belongs in it.
SHORT = {
    "RewindPlugin/RewindPlugin.swift": "a module of its own that only starts the command",
}

# Literals come first, as a comment may begin within one, as in a URL.
NO_CODE = re.compile(r'#*"""(?:.|\n)*?"""#*|#*"(?:\\.|[^"\\\n])*"#*|//[^\n]*|/\*(?:.|\n)*?\*/')
DECLARATION = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)")
# Foundation's classes; subclasses of ours have the same names, so that an app does not see others.
OF_FOUNDATION = {"HTTPCookieStorage", "URLCache", "URLCredentialStorage"}

TIME_OF_DAY = re.compile(
    r"\bDate\(\)|\bDate\.now\b|\btimeIntervalSinceNow\b|\bgettimeofday\b|\bDispatchWallTime\b|\bwallDeadline\b"
    r"|\bwait\(until:"
)
# The clock itself, what a person who makes an interaction means by now, and a run loop, which takes nothing but dates.
ASKS_FOR_IT = {"Rewind/System/Clocks.swift", "Rewind/Model/Interaction.swift", "Rewind/Scopes/CassetteScope.swift"}

# What follows a platform's name is another path; an import is not.
IMPORT = re.compile(r"^ *#if canImport\((\w+)\)\n *(?:@\w+ )?import \1\n(?: *#else\n *import \w+\n)? *#endif\n", re.M)
PLATFORM = re.compile(r"#(?:else)?if\b[^\n]*\b(?:canImport|os)\(")

# The folders of test targets.
TARGETS = [*sorted(TESTS.glob("Rewind*Tests")), TESTS / "Documentation/Samples", TESTS / "Examples/Tests", TESTS / "Collisions/Tests"]
# Declarations at the margin, or one step in where a condition on the platform is around the file.
TOP_LEVEL = re.compile(
    r"^(?:    )?(?:@\w+(?:\(.*?\))?\s+)*(?:(?:private|fileprivate|package|public|final)\s+)*"
    r"(?:struct|class|enum|actor|extension)\s+(\w+)",
    re.M,
)
HAS_TEST = re.compile(r"@Test\b|\bfunc test[A-Z]\w*\(\)")
DISPLAY_NAME = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')
# Files whose tests are in suites of other names, with the reason.
OTHER_SUITES = {
    "Documentation/Samples/ReadmeSettingsTests.swift": "adds tests to the test cases that the README declares",
}
# The documents that name the tests by which a promise is held.
NAMING_TESTS = ["Architecture.md", "ApplePlatforms.md", "Decisions.md", "Contributing.md", "../Sources/Rewind/Rewind.docc/Fidelity.md", "../Sources/Rewind/Rewind.docc/Reliability.md"]


# A type that is nested in one of these for its public name belongs to the folder that declares it.
NAMESPACE = re.compile(r"\b(?:Stubber|RequestMatcher)(?:\.(?=[A-Z])|(?<=^extension Stubber)(?= \{)|(?<=^extension RequestMatcher)(?= \{))", re.M)


def code(text):
    """The text without comments and what string literals say, in which a name is only a word."""
    return NO_CODE.sub(lambda found: '""' if '"' in found.group()[:4] else "", text)


def modules():
    """What the document lists below Sources: the text on each module."""
    listed = re.search(r"^    Sources/\n((?:      .*\n)+)", PLAN, re.M).group(1)
    return dict(re.findall(r"^      (\w+)/(.*\n(?:       .*\n)*)", listed, re.M))


def folders(found):
    """That the document names every folder of the modules, and no other."""
    listed = modules()
    there = {path.name for path in SOURCES.iterdir() if path.is_dir()}
    for name in sorted(there.symmetric_difference(listed)):
        found.append(f"{name} is in Docs/Architecture.md or in Sources, and not in both")
    for module in sorted(there.intersection(listed)):
        named = set(re.findall(r"\b([A-Z]\w*)/", listed[module]))
        there_in_module = {path.name for path in (SOURCES / module).rglob("*") if path.is_dir() and path.suffix != ".docc"}
        for name in sorted(there_in_module.symmetric_difference(named)):
            found.append(f"{name} is in Docs/Architecture.md or in Sources/{module}, and not in both")


def arrows(found):
    """That arrows between the folders of the engine point up the list.

    - Returns: the number of folders and of arrows.
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
            # A name that several folders declare, as of a nested type, tells nothing.
            if len(homes.get(name, ())) != 1:
                continue
            (home,) = homes[name]
            if home != folder[path]:
                uses.setdefault((folder[path], home), set()).add((name, path.name))
    for (origin, home), names in sorted(uses.items()):
        if origin in order and home in order and order.index(home) > order.index(origin):
            names = ", ".join(f"{name} in {file}" for name, file in sorted(names))
            found.append(f"{origin} must not know {home}: {names}")
    return len(order), len(uses)


def sources(found):
    """That source files have the right size, ask for no time of day, and keep platforms apart.

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
        asks = TIME_OF_DAY.search(code(text))
        if asks and place not in ASKS_FOR_IT:
            found.append(f"Sources/{place} has {asks.group()}; who measures asks Deadline or ContinuousClock, and who "
                         "dates asks WallClock")
        if not PLATFORM.search(IMPORT.sub("", text)) or place.startswith("RewindBenchmarks/"):
            continue
        named = place.removeprefix("Rewind/")
        if f"`{named}`" not in APPLE and not named.startswith("URLLoading/Linux/"):
            found.append(f"Sources/{place} has a condition on the platform, and Docs/ApplePlatforms.md does not name the file")
    for place in sorted(SHORT.keys() - lengths.keys()):
        found.append(f"{place} may be short in Tests/Integration/architecture.py, and is not there")
    return len(lengths), statistics.median(lengths.values())


def suites(text):
    """The types of a test file that have tests, as they are declared."""
    text = code(text)
    starts = list(TOP_LEVEL.finditer(text))
    # Where a condition is around the file, what is one step in stands at the top; elsewhere it is nested.
    starts = [start for start in starts if not start.group().startswith(" ")] or starts
    ends = [start.start() for start in starts[1:]] + [len(text)]
    return {start.group(1) for start, end in zip(starts, ends) if HAS_TEST.search(text, start.end(), end)}


def tests(found):
    """That a line of a failed run leads to a file: suites are named like files, and no two tests alike."""
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
            found.append(f"Tests/{place} gives a suite another name than that of its type")
        if "Support" in place.parts:
            if any("Fixture" not in name for name in declared):
                found.append(f"Tests/{place} has tests; in Support are helpers, and fixtures that tests run elsewhere")
        elif not declared and str(place) not in OTHER_SUITES:
            found.append(f"Tests/{place} has no test and is not in a folder Support")
        elif declared != {path.stem} and str(place) not in OTHER_SUITES:
            found.append(f"Tests/{place} has the suites {', '.join(sorted(declared))}")
    for name, places in sorted((homes | names).items()):
        if len(places) > 1:
            found.append(f"“{name}” is in {' and in '.join(sorted(places))}")
    helpers = [path for path in TESTS.rglob("*.swift") if "Support" in path.relative_to(TESTS).parts]
    for path in sorted(helpers):
        if (length := len(path.read_text().splitlines())) > MAXIMUM:
            found.append(f"{path.relative_to(ROOT)} has {length} lines, more than {MAXIMUM}")
    for document in NAMING_TESTS:
        for name in re.findall(r"`(\w+(?:Tests|Canaries|Fixtures))[`.(]", (ROOT / "Docs" / document).resolve().read_text()):
            if name not in homes and not (TESTS / name).is_dir() and name != "DocumentationTests":
                found.append(f"{document} names {name}, which is no suite")


def main():
    found = []
    folders(found)
    count, uses = arrows(found)
    files, median = sources(found)
    tests(found)
    for problem in found:
        print(f"architecture: {problem}", file=sys.stderr)
    print(f"architecture: {uses} arrows between {count} folders, {files} files of {median:.0f} lines")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
