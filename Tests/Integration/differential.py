"""Compares what Rewind reads from cassette files with what an independent reader reads from them.

By default, the files are made from a seed: thousands of variants of every format, some of them unambiguous, others with
missing members, odd types, damaged bodies and unusual layouts. Each difference is printed with the command that repeats
it.
"""

from __future__ import annotations

import argparse
import datetime
import os
import pathlib
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from differential import comparison, generator, reader, rewind, yaml_text
from differential.model import Recording, Refused
from differential.policies import POLICIES

# The smallest part of the interactions that must be equal: Rewind cannot pass by refusing.
SMALLEST_SHARE = 0.3


@dataclass
class Result:
    """The verdict on one file."""

    path: pathlib.Path
    verdict: comparison.Verdict
    # How to make the file again; None if it was given.
    name: str | None = None
    notes: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(prog="differential.sh", description=__doc__)
    parser.add_argument("--rewind", default=".build/debug/rewind", help="the command to test")
    parser.add_argument("--count", type=int, default=1000, help="the number of files to make")
    parser.add_argument("--seed", default=datetime.date.today().isoformat(), help="the default is the date")
    parser.add_argument("--format", action="append", choices=sorted(generator.FORMATS), help="only this format")
    parser.add_argument("--only", metavar="FORMAT/SEED/NUMBER", help="only this file")
    parser.add_argument("--folder", type=pathlib.Path, help="compare all files in this folder instead")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the files with differences in this folder")
    parser.add_argument("--all", action="store_true", help="print all differences, not three of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as executor:
            if options.folder:
                paths = sorted(path for path in options.folder.rglob("*") if path.is_file())
                results: Iterable[Result] = executor.map(lambda path: of_file(path, options.rewind), paths)
            else:
                names = list(variant_names(options))
                print(f"differential: {len(names)} files, seed {options.seed}")
                results = executor.map(lambda name: of_variant(name, folder, options.rewind), names)
            return report(results, options)


def variant_names(options: argparse.Namespace) -> Iterator[str]:
    """The names of the files to make, with all formats in turn."""
    if options.only:
        yield options.only
        return
    formats = [
        name for name in options.format or generator.FORMATS if yaml_text.is_available or not generator.needs_yaml(name)
    ]
    for number in range(options.count):
        yield f"{formats[number % len(formats)]}/{options.seed}/{number}"


def of_variant(name: str, folder: pathlib.Path, command: str) -> Result:
    """Makes a file, and compares what the two readers read from it with each other and with what was written."""
    made = generator.variant(name)
    path = generator.write(made, folder / name.replace("/", "-"))
    ours, verdict = independent(path), comparison.Verdict()
    if made.truth:
        verdict.differences += comparison.errors_of_reader(made.truth, made.count, ours)
    verdict.add(compared(ours, path, command, frozenset(made.truth)))
    return Result(path, verdict, name, made.notes)


def of_file(path: pathlib.Path, command: str) -> Result:
    return Result(path, compared(independent(path), path, command))


def independent(path: pathlib.Path) -> Recording | Refused:
    try:
        return reader.read(path)
    except Refused as refused:
        return refused


def compared(
    ours: Recording | Refused, path: pathlib.Path, command: str, plain: frozenset[int] = frozenset()
) -> comparison.Verdict:
    """Compares the independent reading with Rewind's."""
    try:
        return comparison.compared(ours, rewind.read(command, path), plain)
    except Refused as refused:
        return comparison.compared(ours, refused, plain)
    except rewind.Crash as crash:
        return comparison.Verdict(differences=[f"`rewind show --json` failed: {crash}"])


def report(results: Iterable[Result], options: argparse.Namespace) -> int:
    """Prints the differences, and returns the exit status."""
    total, files = comparison.Verdict(), 0
    kinds: dict[str, int] = {}
    for result in results:
        files += 1
        total.add(result.verdict)
        for difference in result.verdict.differences:
            kind = re.sub(r"'[^']*'|b\"[^\"]*\"|\d+|`[^`]*`|\(.*?\)|/\S+", "", difference)
            kinds[kind] = kinds.get(kind, 0) + 1
            if options.all or kinds[kind] <= 3:
                print_difference(difference, result)
        if result.verdict.differences and options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / result.path.name).write_bytes(result.path.read_bytes())
    for name, count in sorted(total.policies.items()):
        print(f"refused by Rewind only, {count} times: {name} ({POLICIES[name]})")
    print(
        f"differential: {files} files: {total.equal} interactions are equal, both readers refuse {total.refused}, "
        f"{len(total.differences)} differences in {len(kinds)} kinds"
    )
    is_poor = not options.folder and not options.only and total.equal < SMALLEST_SHARE * total.written
    if is_poor:
        print(f"differential: only {total.equal} of {total.written} interactions are equal")
    return 1 if total.differences or is_poor else 0


def print_difference(difference: str, result: Result) -> None:
    print(f"\n{result.name or result.path}: {difference[:600]}")
    if result.name is not None:
        print(f"    made with: {', '.join(result.notes) or 'no changes'}")
        print(f"    repeat: Tests/Integration/differential.sh --only {result.name} --keep /tmp")


sys.exit(main())
