"""Opens pages of cassettes in Chromium: a recorded cassette, and one that tries to run scripts and send requests."""

import html.parser
import http.server
import json
import pathlib
import subprocess
import sys
import threading


class Dom(html.parser.HTMLParser):
    """The elements of a page with their attributes, and the text of each `details` element."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.details, self.title, self.inside = [], [], "", []
        self.feed(text)

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))
        if name == "details":
            self.details.append({"attributes": dict(attributes), "text": ""})
        if name not in ("meta", "input", "br", "img", "rect"):
            self.inside.append(name)

    def handle_endtag(self, name):
        if name in self.inside:
            while self.inside.pop() != name:
                pass

    def handle_data(self, text):
        if "title" in self.inside:
            self.title += text
        if "details" in self.inside:
            self.details[-1]["text"] += text

    def named(self, name):
        return [attributes for each, attributes in self.elements if each == name]


class Browser:
    """Headless Chromium, which can connect to this machine only."""

    def __init__(self, folder):
        self.folder, self.log = folder, folder / "net.json"

    def open(self, file, fragment=""):
        """Returns the page after its scripts have run, and the network log."""
        words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--dump-dom",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--log-net-log={self.log}",
                 f"--user-data-dir={self.folder}/profile", "--virtual-time-budget=2000", "--window-size=1280,800"]
        found = subprocess.run([*words, file.as_uri() + fragment], capture_output=True, timeout=120, check=True)
        return Dom(found.stdout.decode()), self.log.read_text(errors="replace")


class Home(http.server.BaseHTTPRequestHandler):
    """A server that must not receive requests."""

    def do_GET(self):
        self.server.calls.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def write(rewind, cassette, page):
    subprocess.run([rewind, "show", str(cassette), "--html", "--output", str(page)], check=True)


def recorded(rewind, folder, browser):
    """Checks the page of a cassette that was recorded from a real server."""
    page = folder / "page.html"
    write(rewind, folder / "demo.har", page)
    dom, _ = browser.open(page)
    assert len(dom.details) == 11, len(dom.details)
    bars = [each for each in dom.named("rect") if each["class"] == "wait"]
    assert len(bars) == 11 and len({each["x"] for each in bars}) > 5, bars
    assert not any("open" in each["attributes"] for each in dom.details)
    assert '"title": "Grüße"' in dom.details[1]["text"] and "201 Created" in dom.details[1]["text"]
    assert "NSURLErrorDomain -1004" in dom.details[10]["text"]
    opened, _ = browser.open(page, "#2")
    assert ["open" in each["attributes"] for each in opened.details].index(True) == 1
    filtered, _ = browser.open(page, "#tick")
    assert ["hidden" not in each["attributes"] for each in filtered.details].count(True) == 2
    print("page: Chromium shows 11 rows, 11 bars, an open interaction and a filter")


# Reports the looks of the first row, closed and open, in the title of the page.
PROBE = """<script>addEventListener("load", () => {
  const row = document.querySelector("details"), summary = row.firstElementChild;
  const looks = () => [row.open, getComputedStyle(summary, "::before").content.slice(0, 3)];
  const closed = looks();
  summary.focus();
  const isFocused = document.activeElement === summary;
  summary.click();
  const keys = Array.from(document.querySelectorAll(".key"), (each) => {
    const part = getComputedStyle(document.querySelector("rect." + each.classList[1])).fill;
    return getComputedStyle(each).backgroundColor === part && each.getBoundingClientRect().width > 10;
  });
  document.title = JSON.stringify([closed, looks(), isFocused, getComputedStyle(summary).cursor, keys]);
})</script>"""


def openable(folder, browser):
    """Checks that rows look as if they open, that the keyboard reaches them, and that the legend has the bars' colors."""
    text = (folder / "page.html").read_text()
    start = text.index('<meta http-equiv="Content-Security-Policy"')
    probed = folder / "probed.html"
    probed.write_text((text[:start] + text[text.index(">", start) + 1:]).replace("</body>", PROBE + "</body>"))
    dom, _ = browser.open(probed)
    expected = [[False, '"▸"'], [True, '"▾"'], True, "pointer", [True, True]]
    assert json.loads(dom.title) == expected, dom.title
    print("page: rows have a marker, open, and can be reached with the keyboard; the legend has the colors of the bars")


def hostile(rewind, folder, browser):
    """Checks the page of a cassette in which every part tries to run a script and send a request."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Home)
    server.calls = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}"

    control = folder / "control.html"
    control.write_text(f"<title>quiet</title><script>document.title = 'run'</script><img src='{home}/control'>")
    dom, log = browser.open(control)
    assert dom.title == "run" and server.calls == ["/control"] and home in log, "the control page did not work"
    server.calls.clear()

    evil = (f"\"'>--></script></style></title><script>document.title='run';fetch('{home}/fetch')</script>"
            f"<img src=x onerror=\"document.title='run'\"><img src='{home}/image'><link rel=stylesheet href='{home}/style'>"
            f"<iframe src='{home}/frame'></iframe>")
    # A content security policy cannot forbid navigation, so only escaping prevents this one.
    evil, policed = evil + f"<meta http-equiv=refresh content='0;url={home}/refresh'>", evil
    headers = [{"name": evil, "value": evil}, {"name": "Content-Type", "value": evil}, {"name": "Location", "value": evil}]
    kinds = ["text/html", "application/json", "application/xml", "application/x-www-form-urlencoded", evil]
    bodies = [evil, json.dumps({evil: evil}), f"<a b=\"{evil.replace(chr(34), '')}\">{evil}</a>", f"{evil}={evil}", "GIF89a" + evil]
    entries = [
        {"startedDateTime": "2024-01-01T00:00:00Z", "time": 1,
         "request": {"method": evil, "url": "https://a/" + evil, "httpVersion": evil, "headers": headers,
                     "postData": {"mimeType": kind, "text": body}},
         "response": {"status": status, "statusText": evil, "httpVersion": evil,
                      "headers": [{"name": "Content-Type", "value": kind}, *headers],
                      "content": {"mimeType": kind, "text": body}},
         "timings": {"wait": 1, "receive": 1}, "_rewind": {"redacted": [evil]}}
        for kind in kinds for body in bodies for status in (200, 302)
    ]
    cassette = folder / "hostile.har"
    cassette.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
    page = folder / "hostile.html"
    write(rewind, cassette, page)
    dom, log = browser.open(page)
    assert len(dom.details) == len(entries) and dom.title == "hostile.har – Rewind", dom.title
    assert len(dom.named("script")) == 1 and len(dom.named("style")) == 1 and not dom.named("iframe")
    assert all(each["src"].startswith("data:image/") for each in dom.named("img"))
    assert server.calls == [] and home not in log, server.calls
    # If escaping ever fails, the content security policy still prevents the rest.
    broken = folder / "broken.html"
    broken.write_text(page.read_text().replace("<main>", "<main>" + policed))
    dom, _ = browser.open(broken)
    assert dom.title.endswith("Rewind") and server.calls == [], (dom.title, server.calls)
    server.shutdown()
    print(f"page: {len(entries)} hostile interactions ran no script and sent no request")


if __name__ == "__main__":
    place = pathlib.Path(sys.argv[2])
    recorded(sys.argv[1], place, Browser(place))
    openable(place, Browser(place))
    hostile(sys.argv[1], place, Browser(place))
