"""Injects an error at each place of the sources at which one can begin, and sees to it that somebody is told of it.

A copy of the sources has a point at each such place (`points.py`). The scenarios are run once without a fault, which tells
what points each of them passes; then once more for each of these, with that point throwing. A scenario must end, the process
must live, the cassette must be the old one or the new one, sessions must not be intercepted afterwards, and the text of the
fault must be seen: in an error, in a failure of the test, in the answer to a client, or on standard error. Where an error is
swallowed on purpose, `swallowed.txt` says why.
"""

import argparse
import collections
import fnmatch
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from points import Points

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCRATCH = ROOT / ".build/faults"
PACKAGE = SCRATCH / "package"
PROGRAM = SCRATCH / "build/debug/RewindPackageTests.xctest"
MODULES = ["Rewind", "RewindServer", "RewindTesting", "RewindXCTest"]
# How long a run may be silent before it counts as one that never ends.
PATIENCE = 90


def copy():
    """Makes the package with the points, and returns them in order; what has not changed is not written again."""
    points, skipped, files = [], [], {}
    for module in MODULES:
        for source in sorted((ROOT / "Sources" / module).rglob("*.swift")):
            path = source.relative_to(ROOT / "Sources")
            # It is not compiled here, so that nobody could tell whether its points stand where they should.
            if source.stem.endswith("+Apple"):
                files[PACKAGE / "Sources" / path] = source.read_text()
                continue
            found = Points(str(path), source.read_text())
            points += found.names
            skipped += found.skipped
            files[PACKAGE / "Sources" / path] = found.rewritten(module)
    for folder, home in [(HERE / "Scenarios", "Tests/Scenarios"), (ROOT / "Tests/Support", "Tests/Support")]:
        for source in folder.glob("*.swift"):
            files[PACKAGE / home / source.name] = source.read_text()
    for name, home in [("FaultPoint", "Rewind"), ("FaultPoint+Server", "RewindServer")]:
        files[PACKAGE / "Sources" / home / f"{name}.swift"] = (HERE / f"Injection/{name}.swift").read_text()
    files[PACKAGE / "Package.swift"] = (HERE / "Injection/Package.swift").read_text()
    for old in PACKAGE.rglob("*.swift") if PACKAGE.exists() else []:
        if old not in files:
            old.unlink()
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return points, skipped


def build():
    command = ["swift", "build", "--build-tests", "--package-path", PACKAGE, "--scratch-path", SCRATCH / "build"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print("\n".join(line for line in done.stdout.splitlines() if "error:" in line)[:4000])
        sys.exit("faults: the copy of the sources cannot be built")


class Runner:
    """Runs scenarios in processes, and starts another one where one ends too early."""

    def __init__(self, upstream, folder):
        self.upstream, self.folder = upstream, folder
        self.number = 0
        self.lock = threading.Lock()

    def environment(self, **own):
        own |= {"SWIFT_BACKTRACE": "enable=no", "SWIFT_DETERMINISTIC_HASHING": "1"}
        own["REWIND_FAULT_SAMPLES"] = str(ROOT / "Tests/Fuzz/Seeds/importers")
        # Thousands of cassettes are forced to the disk, which memory takes no time for.
        if os.access("/dev/shm", os.W_OK):
            own["TMPDIR"] = "/dev/shm"
        return {**os.environ, **own}

    def run(self, jobs):
        """What came of each job, in order."""
        results = []
        while len(results) < len(jobs):
            results += self.process(jobs[len(results) :])
        return results

    def process(self, jobs):
        with self.lock:
            self.number += 1
            path = self.folder / f"runs-{self.number}"
        path.write_text("".join("\t".join(map(str, job)) + "\n" for job in jobs))
        results = path.with_name(path.name + ".results")
        environment = self.environment(REWIND_FAULT_RUNS=str(path), REWIND_FAULT_UPSTREAM=self.upstream)
        program = subprocess.Popen(
            [PROGRAM, "--testing-library", "swift-testing", "--filter", "FaultRuns/runs"],
            cwd=PACKAGE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        printed = []
        reader = threading.Thread(target=lambda: printed.append(program.stdout.read()))
        reader.start()
        hangs, size, since = False, -1, time.monotonic()
        while program.poll() is None:
            time.sleep(0.05)
            grown = results.stat().st_size if results.exists() else 0
            if grown != size:
                size, since = grown, time.monotonic()
            elif time.monotonic() - since > PATIENCE:
                hangs = True
                program.kill()
        reader.join()
        lines = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
        ended = [line for line in lines if "ends" in line]
        if len(ended) < len([line for line in lines if "begins" in line]):
            output = results.with_name(results.name + ".output")
            text = output.read_text(errors="replace") if output.exists() else ""
            text += (printed[0] or b"").decode(errors="replace")
            kind = "hangs" if hangs else f"ends the process ({program.returncode})"
            ended.append({"ends": lines[-1]["begins"], "dies": kind, "output": text[-3000:]})
        elif not lines or program.returncode:
            sys.exit("faults: the scenarios do not run\n" + (printed[0] or b"").decode(errors="replace")[-3000:])
        return ended


class Swallowed:
    """The points whose errors are swallowed on purpose, with the reason."""

    def __init__(self, path):
        self.entries = []
        for line in path.read_text().splitlines():
            if line.startswith("#") or not line.strip():
                continue
            pattern, effect, reason = (part.strip() for part in line.split("|"))
            assert effect in ("same", "told", "less"), line
            self.entries.append((pattern, effect, reason))
        self.used = collections.Counter()

    def accepts(self, point, is_same):
        plain = re.sub(r":\d+ ", " ", point)
        for pattern, effect, _ in self.entries:
            if fnmatch.fnmatchcase(plain, pattern) and is_same == (effect == "same"):
                self.used[pattern] += 1
                return True
        return False


def is_seen(job, result):
    """Whether the text of the fault is seen, over the end of a line or not."""
    return f"injected fault at {job[1]}" in " ".join(" ".join([*result["story"], result["output"]]).split())


def story(result):
    """What was seen of a run, without what is another thing each time: ports, numbers of processes, dates, random names."""
    changes = r"127\.0\.0\.1:\d+|process \d+|\d{4}-\d\d-\d\dT[\d:.]+Z|\d{4}-\d\d-\d\d [\d:.]+|\b[0-9A-Fa-f-]{12,36}\b|0x\w+"
    return [re.sub(changes, "…", text) for text in result["story"]]


def once(archive):
    """An archive without what stands in it twice in a row: a client may ask again on a connection that was closed."""
    return archive and [line for line, _ in itertools.groupby(archive.splitlines())]


def judge(job, result, plain, swallowed):
    """What is wrong with a run, in a few words; nothing where all is well."""
    if "dies" in result:
        return result["dies"]
    for name, text in result["after"].items():
        if name.endswith((".failed.har", ".recovered.har")):
            if "broken" in text:
                return f"{name} is broken"
        elif once(text) not in (once(old.get(name)) for old in [result["before"], *plain["between"], plain["after"]]):
            return f"{name} is neither the old cassette nor the new one"
    for name in result["before"]:
        if name not in result["after"] and name in plain["after"]:
            return f"{name} is gone"
    if result["undone"]:
        return result["undone"]
    if not result["hasThrown"]:
        return None
    if is_seen(job, result):
        return None
    is_same = story(result) == story(plain) and result["after"] == plain["after"]
    if swallowed.accepts(job[1], is_same):
        return None
    return "is silent, and all is as without it" if is_same else "is silent"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true", help="only the first time that a point is passed")
    parser.add_argument("--only", default="*", help="the points to arm, as a pattern")
    parser.add_argument("--scenario", default="*", help="the scenarios to run, as a pattern")
    parser.add_argument("--verbose", action="store_true", help="what was seen of each run that is wrong")
    parser.add_argument("--list", action="store_true", help="only the points that the scenarios pass")
    options = parser.parse_args()
    points, skipped = copy()
    build()
    with tempfile.TemporaryDirectory(prefix="rewind-faults-") as folder:
        folder = pathlib.Path(folder)
        runner = Runner("", folder)
        address = folder / "address"
        server = subprocess.Popen(
            [PROGRAM, "--testing-library", "swift-testing", "--filter", "FaultRuns/server"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=runner.environment(REWIND_FAULT_SERVER=str(address)), cwd=PACKAGE,
        )
        try:
            while not address.exists() or not address.read_text():
                if server.poll() is not None:
                    sys.exit("faults: the server does not start")
                time.sleep(0.05)
            runner.upstream = address.read_text()
            return inject(runner, options, points, skipped)
        finally:
            server.stdin.close()
            server.wait()


def inject(runner, options, points, skipped):
    start = time.monotonic()
    plain = {result["ends"]: result for result in runner.process([("*",)])}
    for name, result in plain.items():
        if "dies" in result or result["undone"]:
            sys.exit(f"faults: without a fault, {name} {result.get('dies') or result['undone']}\n{result['output']}")
    passed = collections.Counter()
    jobs = []
    for name, result in plain.items():
        for point, count in sorted(result["counts"].items()):
            passed[point] += count
            # How often the parts of numbers and dates are passed is not the same in each run.
            times = {1} if options.short else {1, count if count < 20 else count * 9 // 10}
            if fnmatch.fnmatchcase(point, options.only) and fnmatch.fnmatchcase(name, options.scenario):
                jobs += [(name, point, number) for number in sorted(times)]
    unknown = [point for point in passed if point not in points]
    assert not unknown, unknown
    missed = [point for point in points if not passed[point]]
    if options.short:
        # Each point in one scenario, the one that passes it most seldom.
        rarest = {}
        for job in jobs:
            count = plain[job[0]]["counts"][job[1]]
            if job[1] not in rarest or count < rarest[job[1]][0]:
                rarest[job[1]] = (count, job)
        jobs = [job for _, job in rarest.values()]
    if options.list:
        print("\n".join(f"{passed[point]:8} {point}" for point in points))
        return 0
    halves = [jobs[0::2], jobs[1::2]]
    results = [None, None]

    def work(number):
        results[number] = runner.run(halves[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if options.verbose:
        timed = [(result.get("seconds", 0), job) for half, outcome in zip(halves, results) for job, result in zip(half, outcome)]
        for seconds, job in sorted(timed, reverse=True)[:20]:
            print(f"{seconds:8.2f} s {job[0]} {job[1]} {job[2]}")
    swallowed = Swallowed(HERE / "swallowed.txt")
    wrong, seen, unreached, quiet = [], 0, 0, set()
    for half, outcome in zip(halves, results):
        for job, result in zip(half, outcome):
            problem = judge(job, result, plain[job[0]], swallowed)
            if problem:
                wrong.append((job, problem, result))
            elif not result.get("hasThrown"):
                unreached += 1
                if options.verbose:
                    print(f"{job[1]} (time {job[2]}) in {job[0]} is not reached")
            elif not is_seen(job, result):
                quiet.add(job[1])
            else:
                seen += 1
    for job, problem, result in sorted(wrong, key=lambda item: (item[0][1], item[0])):
        print(f"{job[1]} (time {job[2]}) in {job[0]}: {problem}")
        if options.verbose:
            print("   ", "\n    ".join([*result.get("story", []), result["output"]])[:3000])
            after = plain[job[0]]["after"]
            for name in sorted(set(after) | set(result.get("after", {}))):
                texts = [archives.get(name, "(none)") for archives in (after, result.get("after", {}))]
                if texts[0] != texts[1]:
                    print(f"    {name} without the fault:\n{texts[0]}\n    and with it:\n{texts[1]}")
    stale = [entry[0] for entry in swallowed.entries if not swallowed.used[entry[0]]]
    if stale and options.only == "*" and options.scenario == "*" and not options.short:
        # Some are swallowed only at the right moment, so that this is no fault.
        print("\n".join(f"swallowed.txt lists {pattern}, which swallowed nothing this time" for pattern in stale))
    print(
        f"faults: {len(points)} points, {len(points) - len(missed)} passed by {len(plain)} scenarios, "
        f"{len(jobs)} runs with a fault in {time.monotonic() - start:.0f} s: {seen} seen, "
        f"{len(quiet)} points swallowed on purpose, {unreached} not reached, {len(wrong)} wrong; "
        f"{len(skipped)} functions that rethrow have theirs in the closures they are given"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
