"""Kills recording processes at random moments, and looks for the interactions that had ended 50 ms before."""

import http.client
import json
import os
import pathlib
import random
import signal
import socket
import string
import subprocess
import sys
import tempfile
import threading
import time

from server import Rewind

# An interaction that ended this long before the kill must be in the journal.
GRACE = 0.050
CLIENTS = 4
# Sizes of responses in bytes, and how often each occurs.
SIZES = {100: 4, 3_000: 4, 20_000: 3, 60_000: 3, 300_000: 2, 2_000_000: 1}
TEXT = "".join(random.Random(1).choices(string.ascii_letters + " ", k=2_100_000))


def content(size, kind):
    if kind == "text":
        return TEXT[:size].encode()
    items = [{"id": number, "name": TEXT[number : number + 40], "ok": True} for number in range(max(1, size // 90))]
    return json.dumps(items).encode()


BODIES = {(size, kind): content(size, kind) for size in SIZES for kind in ("text", "json")}


def paths(generator, count=60):
    """Returns the requests of one client: `/kind/framing/size/number`."""
    sizes = generator.choices(list(SIZES), weights=list(SIZES.values()), k=count)
    return [
        f"/{generator.choice(['text', 'json'])}/{generator.choice(['length', 'chunks'])}/{size}/{generator.randrange(10**9)}"
        for size in sizes
    ]


class Upstream(threading.Thread):
    """A server that answers `/kind/framing/size/number`."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def run(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        received = b""
        try:
            while True:
                while b"\r\n\r\n" not in received:
                    part = client.recv(65536)
                    if not part:
                        return
                    received += part
                head, _, received = received.partition(b"\r\n\r\n")
                _, kind, framing, size, _ = head.split()[1].decode().split("/")
                body = BODIES[int(size), kind]
                mediaType = b"application/json" if kind == "json" else b"text/plain"
                start = b"HTTP/1.1 200 OK\r\nContent-Type: " + mediaType
                if framing == "length":
                    client.sendall(start + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
                else:
                    client.sendall(start + b"\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")
        except OSError:
            pass
        finally:
            client.close()


def recovered(rewind, upstream, cassette):
    """Lets the next run recover the journal, and returns the paths of the interactions."""
    run = subprocess.run(
        [rewind, "record", upstream, "--cassette", str(cassette), "--quiet", "--", "true"],
        capture_output=True, text=True, timeout=120,
    )
    file = cassette.with_suffix(".recovered.har")
    if not file.exists():
        return {}, run.stderr
    entries = json.loads(file.read_text())["log"]["entries"]
    found = {"/" + entry["request"]["url"].split("/", 3)[3]: entry["response"]["content"]["size"] for entry in entries}
    return found, run.stderr


def kill_server(rewind, upstream, folder, generator):
    """Kills `rewind record` while clients send requests through it. Returns what they received, and the time of the kill."""
    server = Rewind(rewind, "record", upstream, "--cassette", str(folder / "talk.har"), "--quiet")
    ended = []

    def client(requests):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        try:
            for path in requests:
                connection.request("GET", path)
                response = connection.getresponse()
                size = len(response.read())
                if response.status == 200:
                    ended.append((path, size, time.monotonic()))
        except (OSError, http.client.HTTPException):
            pass
        connection.close()

    threads = [threading.Thread(target=client, args=(paths(generator),)) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    time.sleep(generator.uniform(0.03, 0.6))
    moment = time.monotonic()
    server.process.send_signal(signal.SIGKILL)
    server.process.communicate()
    for thread in threads:
        thread.join()
    return ended, moment


def kill_tests(tests, upstream, folder, generator):
    """Kills a test process that sends requests with URLSession."""
    clients = [paths(generator) for _ in range(CLIENTS)]
    process = subprocess.Popen(
        [tests, "RewindXCTestTests.KilledFixtures"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={
            **os.environ, "REWIND_KILL_SERVER": upstream, "REWIND_KILL_FOLDER": str(folder),
            "REWIND_KILL_PATHS": "|".join(" ".join(requests) for requests in clients),
        },
    )
    lines = []
    for line in process.stdout:
        if line.startswith(b"ended "):
            lines.append(line)
            break
    killer = threading.Timer(generator.uniform(0.0, 0.5), lambda: None)
    killer.start()
    reader = threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True)
    reader.start()
    killer.join()
    moment = time.monotonic()
    process.send_signal(signal.SIGKILL)
    process.wait()
    reader.join()
    ended = []
    for line in lines:
        words = line.decode(errors="replace").split()
        if len(words) == 4 and words[0] == "ended":
            ended.append((words[1], int(words[2]), int(words[3]) / 1e9))
    return ended, moment


def main(binaries, count):
    binaries, count = pathlib.Path(binaries), int(count)
    rewind, tests = str(binaries / "rewind"), str(binaries / "RewindPackageTests.xctest")
    upstream = Upstream()
    upstream.start()
    seed = int(os.environ.get("REWIND_SEED", random.randrange(10**6)))
    failed = False
    for name, kill, program in [("URLSession", kill_tests, tests), ("rewind record", kill_server, rewind)]:
        generator = random.Random(seed)
        due_count, late_count, large_count, lost, start = 0, 0, 0, [], time.monotonic()
        for number in range(count):
            with tempfile.TemporaryDirectory() as folder:
                ended, moment = kill(program, upstream.address, pathlib.Path(folder), generator)
                due = [(path, size, moment - end) for path, size, end in ended if moment - end >= GRACE]
                found, notes = recovered(rewind, upstream.address, pathlib.Path(folder, "talk.har"))
                due_count += len(due)
                large_count += sum(size >= 60_000 for _, size, _ in due)
                late_count += sum(path not in found for path, _, end in ended if moment - end < GRACE)
                for path, size, age in due:
                    if path not in found:
                        lost.append((number, path, size, f"{age * 1000:.0f} ms", notes[-300:]))
        print(
            f"kills: {name}: {count} kills (seed {seed}): of {due_count} responses that ended 50 ms or more before, "
            f"{large_count} of them large, {len(lost)} lost; of the later ones, {late_count} lost; "
            f"{time.monotonic() - start:.0f} s"
        )
        for each in lost[:10]:
            print("kills: lost:", *each)
        failed = failed or bool(lost) or due_count < count
    sys.exit(failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
