"""Attacks `rewind serve` and `rewind record`, and checks that the next client is served and that the memory is limited.

The attacks: 1,024 clients that each send a byte every 4 seconds; 20 unfinished bodies of 59 MiB; clients that never read
their answers; idle connections that use up all file descriptors.
"""

import http.server
import json
import pathlib
import resource
import socket
import sys
import threading
import time

from server import Rewind
from server_hostile import answer, archive, connect

SLOW_CLIENTS = 1024
SECONDS_TO_SERVE = 1.0
MEBIBYTES = 200


def status(process, field):
    """Returns a field of the status of a process, such as its largest resident memory so far, in MiB."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field + ":"))


def served(port, target="/items"):
    """Returns how long a new client waits for its answer."""
    start = time.monotonic()
    client = connect(port)
    client.settimeout(30)
    client.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % target.encode())
    head = answer(client)
    assert head.startswith(b"HTTP/1.1 200 "), head[:100]
    client.close()
    return time.monotonic() - start


class Dribble(threading.Thread):
    """Clients that send a byte every few seconds, and connect again if they are disconnected."""

    def __init__(self, port, start, pause):
        super().__init__(daemon=True)
        self.port, self.first, self.pause, self.ended, self.lost = port, start, pause, False, 0
        self.clients = [self.open() for _ in range(SLOW_CLIENTS)]

    def open(self):
        client = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        client.sendall(self.first)
        return client

    def run(self):
        while not self.ended:
            for position, client in enumerate(self.clients):
                if self.ended:
                    return
                try:
                    client.setblocking(False)
                    try:
                        client.recv(1000)
                        raise OSError
                    except BlockingIOError:
                        pass
                    client.sendall(b"x")
                except OSError:
                    self.lost += 1
                    client.close()
                    try:
                        self.clients[position] = self.open()
                    except OSError:
                        pass
                time.sleep(self.pause / SLOW_CLIENTS)

    def end(self):
        self.ended = True
        self.join()
        for client in self.clients:
            client.close()


def slow_clients(name, port, process, seconds):
    for what, start in [
        ("bodies", b"POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"),
        ("heads", b"GET /items HTTP/1.1\r\nHost: localhost\r\nX: "),
        ("chunks", b"POST /items HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n9999\r\n"),
    ]:
        attack = Dribble(port, start, 4)
        attack.start()
        waits = []
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            waits.append(served(port))
            time.sleep(0.1)
        attack.end()
        print(
            f"server: {name}: with {SLOW_CLIENTS} clients that send their {what} a byte every 4 s, {len(waits)} new clients "
            f"wait at most {max(waits):.2f} s; {attack.lost} slow clients were disconnected; "
            f"{status(process, 'VmHWM'):.0f} MiB"
        )
        assert max(waits) < SECONDS_TO_SERVE, waits


def unfinished_bodies(name, port, process):
    size = 59 << 20
    clients = []
    for number in range(20):
        client = connect(port)
        if number % 2:
            client.sendall(b"POST /items HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % (size + 9))
        else:
            client.sendall(b"POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (size + 9))
        client.sendall(b"x" * size)
        clients.append(client)
    wait = served(port)
    for client in clients:
        client.close()
    print(f"server: {name}: 20 unfinished bodies of 59 MiB use {status(process, 'VmHWM'):.0f} MiB; a client waits {wait:.2f} s")
    assert wait < SECONDS_TO_SERVE


def slow_readers(name, port, process):
    """More clients than threads that ask for 10 MB and never read."""
    clients = []
    for _ in range(SLOW_CLIENTS + 200):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(30)
        client.connect(("127.0.0.1", port))
        client.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        clients.append(client)
    time.sleep(1.5)
    waits = [served(port) for _ in range(5)]
    for client in clients:
        client.close()
    print(
        f"server: {name}: with {len(clients)} clients that never read 10 MB, a client waits at most {max(waits):.2f} s; "
        f"{status(process, 'VmHWM'):.0f} MiB"
    )
    assert max(waits) < SECONDS_TO_SERVE, waits


def idle_connections(name, port, count):
    clients = [connect(port) for _ in range(count)]
    waits = [served(port) for _ in range(5)]
    for client in clients:
        client.close()
    print(f"server: {name}: with {count} idle connections and 1,024 file descriptors, a client waits at most {max(waits):.2f} s")
    assert max(waits) < SECONDS_TO_SERVE, waits


class Upstream(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *arguments):
        pass


def main(rewind, folder, seconds="6"):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    cassette = pathlib.Path(folder, "attacks.har")
    small, large = archive("x" * 1000), archive("x" * 10_000_000).replace("/items", "/large")
    both = json.loads(small)
    both["log"]["entries"] += json.loads(large)["log"]["entries"]
    cassette.write_text(json.dumps(both))
    server = Rewind(rewind, "serve", str(cassette), "--quiet")
    process = server.process.pid
    print(f"server: serve: {status(process, 'VmHWM'):.0f} MiB at the start")
    slow_clients("serve", server.port, process, float(seconds))
    unfinished_bodies("serve", server.port, process)
    slow_readers("serve", server.port, process)
    assert status(process, "VmHWM") < MEBIBYTES, f"{status(process, 'VmHWM'):.0f} MiB"
    server.stop()

    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    server = Rewind(rewind, "serve", str(cassette), "--quiet")
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    idle_connections("serve", server.port, 2000)
    server.stop()

    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    recorder = Rewind(
        rewind, "record", f"http://127.0.0.1:{upstream.server_address[1]}", "--cassette",
        str(pathlib.Path(folder, "attacked.har")), "--quiet",
    )
    process = recorder.process.pid
    slow_clients("record", recorder.port, process, float(seconds))
    unfinished_bodies("record", recorder.port, process)
    assert status(process, "VmHWM") < MEBIBYTES, f"{status(process, 'VmHWM'):.0f} MiB"
    recorder.stop()
    upstream.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
