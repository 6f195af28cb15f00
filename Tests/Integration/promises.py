"""Checks the lists of promises in Tests/Promises and prints every dead link.

Each article of the catalogues and the README has a file of its name with a table: a promise, and the tests that hold it.

- A promise is an excerpt of the article. A line break counts as a space, `\\|` is a border between cells, and `…` stands
  in for text that the excerpt leaves out.
- A test is a file below Tests with one or more of its functions: `RewindTests/Stubs/StubTests.swift` `answers`,
  `answersTwice`. A function is a test if it has `@Test` or its name starts with `test`.
- Or a test is a script of Tests/Integration that `.ci/run` or `.ci/nightly` calls: `Integration/nginx.sh`.
- `not run here: reason` marks what no test can check on Linux.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "Tests"
LISTS = TESTS / "Promises"
CI = (ROOT / ".ci/run").read_text() + (ROOT / ".ci/nightly").read_text()

# Text that an excerpt may leave out with an ellipsis.
LEFT_OUT = r".{0,600}?"
ROW = re.compile(r"^\| (.+) \| ((?:[^|\\]|\\.)+) \|$")
BORDER = re.compile(r"^\| ?:?-+:? ?\| ?:?-+:? ?\|$")
NAME = re.compile(r"`([^`]+)`")


def articles():
    """Returns the README and the articles of all modules."""
    return [ROOT / "README.md", *sorted((ROOT / "Sources").glob("*/*.docc/*.md"))]


def plain(text):
    """Returns the text on one line, without marks of quotations and with all borders of cells alike."""
    text = re.sub(r"^> ?", "", text, flags=re.M).replace("\\|", "|")
    return " ".join(text.split())


def occurs(promise, text):
    """Whether an excerpt occurs in the text of an article, which is on one line."""
    promise = plain(promise)
    if promise in text:
        return True
    parts = [re.escape(part.strip()) for part in promise.split("…")]
    return all(parts) and re.search(LEFT_OUT.join(parts), text) is not None


def functions(path):
    """Returns the names of the tests in a file."""
    text = path.read_text()
    found, end = set(), 0
    for function in re.finditer(r"\bfunc (\w+)\s*[(<]", text):
        if "@Test" in text[end:function.start()] or function.group(1).startswith("test"):
            found.add(function.group(1))
        end = function.end()
    return found


def problems_of_tests(tests, known, named):
    """Returns what is wrong with the second column of a row, and adds its tests to those that are named."""
    if tests.startswith("not run here: "):
        return
    names = NAME.findall(tests)
    if not names or re.search(r"[^\s,]", NAME.sub("", tests)):
        yield f"expected `Path/File.swift` `function`, a script or 'not run here: reason' instead of '{tests}'"
        return
    file, used = None, True
    for name in names:
        if "/" not in name:
            if file is None:
                yield f"'{name}' follows no test file"
            elif file in known and name not in known[file]:
                yield f"{file} has no test '{name}'"
            used = True
            named.add((file, name))
            continue
        if not used:
            yield f"{file} has no function beside it"
        file, used = name, True
        if not (TESTS / name).is_file():
            yield f"Tests/{name} does not exist"
        elif name.startswith("Integration/"):
            file = None
            named.add((name, None))
            if f"Tests/{name}" not in CI:
                yield f"neither .ci/run nor .ci/nightly calls {name}"
        elif name not in known:
            known[name] = functions(TESTS / name)
            used = False
        else:
            used = False
    if not used:
        yield f"{file} has no function beside it"


def rows(lines):
    """Returns the rows of a list with their numbers, or None for a line of the table that is not a row."""
    for number, line in enumerate(lines, 1):
        if not line.startswith("|") or BORDER.match(line) or line == "| Promise | Test |":
            continue
        row = ROW.match(line)
        yield number, row.groups() if row else None


def main():
    found, count, known, named = [], 0, {}, set()
    listed = {path.name for path in LISTS.glob("*.md")}
    for article in articles():
        place = f"Tests/Promises/{article.name}"
        if article.name not in listed:
            found.append(f"{place} is missing; list the promises of {article.relative_to(ROOT)}")
            continue
        listed.remove(article.name)
        text, seen, lines = plain(article.read_text()), set(), (ROOT / place).read_text().splitlines()
        for number, row in rows(lines):
            if row is None:
                found.append(f"{place}:{number}: expected | promise | test |")
                continue
            promise, tests = row
            count += 1
            if promise in seen:
                found.append(f"{place}:{number}: '{promise}' is listed twice")
            seen.add(promise)
            if not occurs(promise, text):
                found.append(f"{place}:{number}: '{promise}' is not in {article.relative_to(ROOT)}")
            found.extend(f"{place}:{number}: {problem}" for problem in problems_of_tests(tests, known, named))
    found.extend(f"Tests/Promises/{name} belongs to no article" for name in sorted(listed))
    for problem in found:
        print(f"promises: {problem}", file=sys.stderr)
    print(f"promises: {count} promises, {len(named)} tests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
