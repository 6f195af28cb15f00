"""Sends requests through `rewind record` and again to `rewind serve`, and compares every byte."""

import asyncio
import gzip
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

try:
    import requests
except ImportError:
    requests = None
try:
    import httpx
except ImportError:
    httpx = None

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Upstream(http.server.BaseHTTPRequestHandler):
    """A Python server with every kind of answer."""

    protocol_version = "HTTP/1.1"
    visits = 0

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        host = self.headers["Host"]
        path = self.path.split("?")[0]
        if path == "/json":
            self.answer(200, json.dumps({"id": 42, "name": "Grüße"}).encode(), [("Content-Type", "application/json")])
        elif path == "/users":
            self.answer(200, json.dumps([{"id": 1, "name": "Ada"}]).encode(), [("Content-Type", "application/json")])
        elif path == "/visit":
            Upstream.visits += 1
            self.answer(200, f"visit {Upstream.visits}".encode(), [("Content-Type", "text/plain")])
        elif path == "/binary":
            self.answer(200, bytes(range(256)) * 1000, [("Content-Type", "application/octet-stream")])
        elif path == "/gzip":
            body = gzip.compress(b"compressed " * 100)
            self.answer(200, body, [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")])
        elif path == "/old":
            self.answer(302, b"moved", [("Location", f"http://{host}/json")])
        elif path == "/missing":
            self.answer(404, b"nothing here", [("Content-Type", "text/plain")])
        elif path == "/empty":
            self.send_response(204)
            self.end_headers()
        elif path == "/events":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for number in range(3):
                event = f"data: {number}\n\n".encode()
                self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
                self.wfile.flush()
                time.sleep(0.05)
            self.wfile.write(b"0\r\n\r\n")
        elif path == "/page":
            self.answer(200, PAGE, [("Content-Type", "text/html; charset=utf-8")])
        else:
            self.answer(200, path.encode(), [("Content-Type", "text/plain")])

    do_HEAD = do_GET

    def do_POST(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer(201, b"got " + body, [("Content-Type", "text/plain"), ("X-Method", self.command)])

    do_PUT = do_POST
    do_DELETE = do_POST

    def log_message(self, *arguments):
        pass


PAGE = b"""<!doctype html><title>page</title><p id=out></p><script>
function ask(method, path, body) {
    const request = new XMLHttpRequest();
    request.open(method, path, false);
    request.send(body);
    return path + ' ' + request.status + ' ' + request.responseText.length + '; ';
}
document.getElementById('out').textContent = ask('GET', '/json') + ask('GET', '/old') + ask('POST', '/log', 'x=1')
    + ask('GET', '/missing') + ask('GET', '/events') + ask('GET', '/gzip') + 'done';
</script>"""


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


class Rewind:
    """A `rewind serve` or `rewind record` process, running until `stop()`."""

    def __init__(self, *words):
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.process.stderr.read()
        self.port = int(self.address.rsplit(":", 1)[1])

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, errors
        return errors


def curl(address):
    """Returns the output of curl: heads and bodies."""
    def ask(*words):
        return subprocess.run(["curl", "-s", "--max-time", "20", "--noproxy", "*", *words], capture_output=True).stdout
    return [
        ask("-i", address + "/json"),
        ask("-i", "-I", address + "/json"),
        ask("-iL", address + "/old"),
        ask("-i", "--compressed", address + "/gzip"),
        ask("-i", "-d", "a=1&b=2", address + "/form"),
        ask("-i", "-H", "Transfer-Encoding: chunked", "-d", "chunked", address + "/chunked"),
        ask("-i", "-H", "Expect: 100-continue", "-T", __file__, address + "/upload"),
        ask("-iN", address + "/events"),
        ask("-i", address + "/visit", address + "/visit", address + "/empty"),
        ask("-i", "-X", "DELETE", address + "/item?q=%C3%BC"),
        ask("-i", "--path-as-is", address + "/a%2Fb;c"),
        ask("-i", "--http1.0", address + "/json?old"),
    ]


def python_client(address):
    """Returns the answers that http.client receives over one connection."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=20)
    found = []
    for method, path, body in [
        ("GET", "/binary", None), ("HEAD", "/binary", None), ("PUT", "/thing", b"\0\1\2"), ("GET", "/missing", None),
        ("GET", "/gzip", None), ("GET", "/events", None), ("GET", "/old", None),
    ]:
        connection.request(method, path, body)
        response = connection.getresponse()
        found.append((response.status, response.getheaders(), response.read()))
    connection.close()
    return found


def requests_client(address):
    """Returns the answers of requests, which follows redirects and decodes bodies."""
    with requests.Session() as session:
        session.trust_env = False
        answers = [
            session.get(address + "/old"),
            session.post(address + "/json", json={"b": 1, "a": [True, None]}),
            session.post(address + "/files", files={"file": ("a.bin", b"\0\xff")}, headers={"X": "1"}),
            session.get(address + "/gzip", params={"x": "ü"}),
            session.get(address + "/events", stream=True),
        ]
        return [(each.status_code, each.content, [one.url for one in each.history]) for each in answers]


def httpx_client(address):
    """Returns the answers of httpx, with a base URL."""
    with httpx.Client(base_url=address, trust_env=False, follow_redirects=True) as client:
        def seen(response):
            return response.status_code, response.headers.multi_items(), response.content
        answers = [
            client.get("/old"), client.post("/json", json={"b": [1, None]}), client.get("/gzip", params={"y": "ü"}),
            client.head("/json"), client.put("/thing", content=iter([b"piece ", b"by piece"])),
            client.post("/files", files={"file": ("a.bin", b"\0\xff")}, headers={
                "Content-Type": "multipart/form-data; boundary=b"}),
        ]
        found = [seen(each) for each in answers]
        with client.stream("GET", "/events") as response:
            found.append((response.status_code, b"".join(response.iter_bytes())))
        return found


FETCH = """
const base = process.env.REWIND_BASE_URL;
for (const [path, options] of [
    ['/old'], ['/json', {method: 'POST', body: JSON.stringify({c: [true]})}], ['/gzip?z=1'], ['/binary'], ['/events'],
    ['/json?head', {method: 'HEAD'}], ['/empty?fetch'],
]) {
    const response = await fetch(base + path, options);
    const body = Buffer.from(await response.arrayBuffer()).toString('base64');
    console.log(JSON.stringify([response.status, [...response.headers], response.redirected, body]));
}
"""


def run(command, address):
    """Returns what a client prints that reads its base URL from the environment."""
    environment = {**os.environ, "REWIND_BASE_URL": address, "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def article_clients(address):
    """Returns what the code of the article on clients prints."""
    article = (ROOT / "Sources/RewindServer/RewindServer.docc/Clients.md").read_text()
    code = {language: block for language, block in re.findall(r"^```(python|js)\n(.*?)^```", article, re.M | re.S)}
    found = [run(["sh", "-c", re.search(r'^(curl "\$REWIND_BASE_URL.*)$', article, re.M)[1] + " --silent"], address)]
    if httpx:
        found.append(run([sys.executable, "-c", code["python"] + "print(users)"], address))
    if shutil.which("node"):
        found.append(run(["node", "--input-type=module", "-e", code["js"] + "console.log(users)"], address))
    assert all(b"Ada" in output for output in found), found
    return found


async def crowd(port, connections=64, requests=10_000):
    """Sends requests over many connections at once, and checks that each receives its own answer."""
    async def client(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for count in range(number, requests, connections):
            path = f"/crowd/{count % 500}"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 "), head
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            body = await reader.readexactly(length)
            assert body == path.encode(), (path, body)
        writer.close()
    await asyncio.gather(*(client(number) for number in range(connections)))


def talk(address):
    """Makes all requests and returns the answers."""
    found = {"curl": curl(address), "http.client": python_client(address)}
    if requests:
        found["requests"] = requests_client(address)
    if httpx:
        found["httpx"] = httpx_client(address)
    if shutil.which("node"):
        found["fetch"] = run(["node", "--input-type=module", "-e", FETCH], address).splitlines()
    found["the article's clients"] = article_clients(address)
    return found


def start_upstream():
    upstream = Server(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    return upstream, f"http://127.0.0.1:{upstream.server_address[1]}"


def main(rewind, folder):
    cassette = str(pathlib.Path(folder, "talk.har"))
    upstream, origin = start_upstream()
    recorder = Rewind(rewind, "record", origin, "--cassette", cassette)
    live = talk(recorder.address)
    asyncio.run(crowd(recorder.port, requests=500))
    output = recorder.stop()
    assert "recorded" in output, output
    assert f"  export REWIND_BASE_URL={recorder.address}\n" in output, output

    # What a command prints with the variable of an upstream with a prefix.
    command = ["sh", "-c", "curl -s --noproxy '*' \"$REWIND_API_URL/json\""]
    prefixed = [rewind, "record", f"/api={origin}", "--cassette", str(pathlib.Path(folder, "prefix.har")), "--", *command]
    assert b'"id": 42' in subprocess.run(prefixed, capture_output=True, timeout=60).stdout

    through_proxy = str(pathlib.Path(folder, "proxy.har"))
    proxy = Rewind(rewind, "record", "proxy", "--cassette", through_proxy)
    ask = ["curl", "-s", "-i", "-x", None, "--noproxy", "", origin + "/json"]
    ask[4] = proxy.address
    proxied = subprocess.run(ask, capture_output=True).stdout
    proxy.stop()
    upstream.shutdown()
    upstream.server_close()
    assert b'"id": 42' in proxied, proxied

    server = Rewind(rewind, "serve", cassette, "--port", str(recorder.port), "--quiet")
    replayed = talk(server.address)
    for name, answers in live.items():
        for number, (one, other) in enumerate(zip(answers, replayed[name])):
            assert one == other, f"{name}, answer {number}: live {one}, replayed {other}"
    start = time.monotonic()
    asyncio.run(crowd(server.port))
    seconds = time.monotonic() - start
    missing = subprocess.run(["curl", "-s", "-i", server.address + "/nowhere"], capture_output=True).stdout
    assert missing.startswith(b"HTTP/1.1 501 ") and b"X-Rewind-Miss: no-match" in missing, missing
    tunnel = subprocess.run(["curl", "-s", "-v", "-p", "-x", server.address, origin], capture_output=True).stderr
    assert b" 501" in tunnel, tunnel
    server.stop()

    server = Rewind(rewind, "serve", through_proxy, "--quiet")
    ask[4] = server.address
    assert subprocess.run(ask, capture_output=True).stdout == proxied
    server.stop()
    count = sum(len(answers) for answers in live.values())
    print(f"server: {count} answers to {', '.join(live)} are replayed byte for byte without the upstream")
    print(f"server: 10000 requests over 64 connections in {seconds:.1f} s received their own answers")


if __name__ == "__main__":
    main(*sys.argv[1:])
