"""Tests a server with ten thousand idle connections, slow writers, clients that do not read, and oversized requests."""

import json
import pathlib
import resource
import socket
import sys
import time

from server import Rewind


def connect(port):
    client = socket.create_connection(("127.0.0.1", port), timeout=60)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


def answer(client):
    """Returns the head of an answer, with the part of its body that arrived; empty if the connection was closed."""
    received = b""
    while b"\r\n\r\n" not in received:
        part = client.recv(65536)
        if not part:
            break
        received += part
    return received


def ask(client, target="/items"):
    client.sendall(b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % target.encode())
    return answer(client)


def memory(process):
    """Returns the resident memory of a process in MiB and its number of threads."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    return int(fields["VmRSS"].split()[0]) / 1024, int(fields["Threads"])


def archive(body):
    message = {"httpVersion": "HTTP/1.1", "headers": [], "cookies": [], "headersSize": -1, "bodySize": -1}
    request = {**message, "method": "GET", "url": "http://127.0.0.1/items", "queryString": []}
    content = {"size": len(body), "mimeType": "text/plain", "text": body}
    response = {**message, "status": 200, "statusText": "OK", "content": content, "redirectURL": ""}
    entry = {
        "startedDateTime": "2024-01-01T00:00:00.000Z", "time": 0, "request": request, "response": response,
        "cache": {}, "timings": {"send": 0, "wait": 0, "receive": 0},
    }
    creator = {"name": "somebody", "version": "1"}
    return json.dumps({"log": {"version": "1.2", "creator": creator, "pages": [], "entries": [entry]}})


REFUSALS = {
    b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"a" * 20_000): b"414",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n" % (b"a" * 70_000): b"431",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (b"X: a\r\n" * 300): b"431",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n": b"413",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n": b"413",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n": b"400",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n": b"400",
    b"\x16\x03\x01\x02\x00\x01\x00": b"400",
}


def main(rewind, folder):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(10_000, limit[1] // 2 - 500)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limit[0], count + 500), limit[1]))
    body = "x" * 10_000_000
    cassette = pathlib.Path(folder, "hostile.har")
    cassette.write_text(archive(body))
    server = Rewind(rewind, "serve", str(cassette), "--quiet")
    port = int(server.address.rsplit(":", 1)[1])
    process = server.process.pid
    clients = []
    try:
        assert ask(connect(port)).startswith(b"HTTP/1.1 200 ")
        time.sleep(1)
        before, _ = memory(process)
        clients = [connect(port) for _ in range(count)]
        deadline = time.monotonic() + 60
        while memory(process)[1] > 20 and time.monotonic() < deadline:
            time.sleep(0.1)
        after, threads = memory(process)
        assert threads <= 20, f"{threads} threads for idle connections"
        each = (after - before) * 1024 / count
        print(f"server: {count} idle connections use {threads} threads and {after - before:.0f} MiB, {each:.1f} KiB each")
        assert each < 16, f"{each:.1f} KiB per idle connection"
        for client in clients[:: max(1, count // 50)]:
            assert ask(client, "/nowhere").startswith(b"HTTP/1.1 501 "), "an idle connection gets no answer"

        slow = [connect(port) for _ in range(100)]
        for client in slow:
            client.sendall(b"GET /items HTTP/1.1\r\nHo")
        slow_readers = [connect(port) for _ in range(20)]
        for client in slow_readers:
            client.sendall(b"GET /items HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
        for bytes_sent, status in REFUSALS.items():
            client = connect(port)
            client.sendall(bytes_sent)
            head = answer(client)
            assert head.startswith(b"HTTP/1.1 " + status), (bytes_sent[:60], head[:60])
        half = connect(port)
        half.sendall(b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n")
        half.shutdown(socket.SHUT_WR)
        assert answer(half).startswith(b"HTTP/1.1 501 ")
        assert ask(connect(port)).startswith(b"HTTP/1.1 200 "), "the next client gets no answer"
        crowded, _ = memory(process)
        print(f"server: answers with 100 slow writers and 20 slow readers; {crowded - before:.0f} MiB in total")
        assert crowded - before < 400, f"{crowded - before:.0f} MiB for slow clients"
        clients += slow + slow_readers
    finally:
        for client in clients:
            client.close()
        server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
