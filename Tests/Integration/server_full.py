"""Tests `rewind serve` with Chromium, and compares its speed with nginx and mitmdump."""

import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

from server import Rewind, start_upstream


def chromium(rewind, folder):
    """Loads a page with scripts and requests in Chromium, live and replayed, and compares the result."""
    program = shutil.which("chromium")
    if not program:
        return print("server: skipped: Chromium is not installed")
    cassette = str(pathlib.Path(folder, "browser.har"))
    upstream, origin = start_upstream()

    def show(address, profile):
        words = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={folder}/{profile}"]
        found = subprocess.run([program, *words, "--dump-dom", address + "/page"], capture_output=True, timeout=120)
        return re.search(rb"<p id=.out.>(.*?)</p>", found.stdout, re.S).group(1)

    recorder = Rewind(rewind, "record", origin, "--cassette", cassette)
    live = show(recorder.address, "live")
    recorder.stop()
    upstream.shutdown()
    upstream.server_close()
    server = Rewind(rewind, "serve", cassette, "--quiet")
    replayed = show(server.address, "replayed")
    server.stop()
    assert live == replayed and live.endswith(b"done"), (live, replayed)
    print(f"server: Chromium shows the same page on replay: {live.decode()}")


def rate(address, connections):
    """Returns the requests per second that wrk measures for a server."""
    words = ["wrk", "-t1", f"-c{connections}", "-d3", address + "/items"]
    output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in output, output
    return float(re.search(r"Requests/sec:\s*([\d.]+)", output).group(1))


def wait_for(address):
    for _ in range(200):
        try:
            return urllib.request.urlopen(address + "/items").read()
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(address)


def compare(rewind, folder):
    """Measures Rewind, nginx and mitmdump with wrk, in turns and with the same answer."""
    if not shutil.which("wrk"):
        return print("server: skipped the comparison of speed: wrk is not installed")
    body = json.dumps({"number": 0, "items": [{"id": 1, "name": "Grüße", "seen": True}]}, ensure_ascii=False)
    # The worker of nginx must be able to read it.
    pathlib.Path(folder).chmod(0o755)
    root = pathlib.Path(folder, "root")
    root.mkdir()
    (root / "items").write_text(body)
    cassette = pathlib.Path(folder, "items.har")
    cassette.write_text(json.dumps(archive(body)))
    servers = {}
    served = Rewind(rewind, "serve", str(cassette), "--quiet")
    servers["rewind"] = served.address
    others = []
    if shutil.which("nginx"):
        configuration = pathlib.Path(folder, "nginx.conf")
        configuration.write_text(NGINX.format(folder=folder, root=root, port=18996))
        others.append(subprocess.Popen(["nginx", "-c", str(configuration)], stderr=subprocess.DEVNULL))
        servers["nginx"] = "http://127.0.0.1:18996"
    if shutil.which("mitmdump"):
        options = ["--set", "server_replay_reuse=true", "--set", "connection_strategy=lazy", "-q", "-p", "18997"]
        words = ["mitmdump", "--server-replay", str(cassette), "--mode", "reverse:http://example.com", *options]
        others.append(subprocess.Popen(words, stdout=subprocess.DEVNULL))
        servers["mitmdump"] = "http://127.0.0.1:18997"
    try:
        for address in servers.values():
            assert wait_for(address) == body.encode(), address
        for connections in (1, 64):
            rounds = [{name: rate(address, connections) for name, address in servers.items()} for _ in range(3)]
            rates = {name: sorted(each[name] for each in rounds)[1] for name in servers}
            speeds = ", ".join(f"{name} {each:.0f}/s" for name, each in rates.items())
            ratios = ", ".join(
                f"{rates['rewind'] / each:.2f} of {name}" for name, each in rates.items() if name != "rewind"
            )
            print(f"server: {connections} connections: {speeds}; {ratios}")
    finally:
        for process in others:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)
        served.stop()


def archive(body):
    """Returns a HAR archive with one answer."""
    headers = {
        "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-cache", "Server": "benchmark",
        "Content-Length": str(len(body.encode())),
    }
    request = {
        "method": "GET", "url": "http://example.com/items", "httpVersion": "HTTP/1.1", "headers": [],
        "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0,
    }
    response = {
        "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "redirectURL": "",
        "headers": [{"name": name, "value": value} for name, value in headers.items()],
        "content": {"size": len(body.encode()), "mimeType": headers["Content-Type"], "text": body},
        "headersSize": -1, "bodySize": -1,
    }
    entry = {
        "startedDateTime": "2024-01-01T00:00:00.000Z", "time": 0, "request": request, "response": response,
        "cache": {}, "timings": {"send": 0, "wait": 0, "receive": 0},
    }
    return {"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "pages": [], "entries": [entry]}}


NGINX = """daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 256; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    open_file_cache max=10;
    server {{ listen 127.0.0.1:{port}; root {root}; default_type application/json; add_header Cache-Control no-cache; }}
}}
"""


if __name__ == "__main__":
    chromium(*sys.argv[1:])
    compare(*sys.argv[1:])
