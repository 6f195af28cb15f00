#!/usr/bin/env python3
"""The server from which the cassettes of the examples and of the documentation's samples are recorded.

A small blog on port 8017 of this machine: signed-in users may publish posts, and all users may read them page by page.
It stores posts in memory only, so that each recording begins with the same data.
"""

import hashlib
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PORT = 8017
PASSWORDS = {"ada": "lovelace"}
PRODUCTS = [
    {"id": 1, "name": "Bell", "price": 1250, "kind": "part", "maker": {"name": "Ada", "site": None}},
    {"id": 2, "name": "Basket", "price": 3900, "kind": "part", "maker": {"name": "Grace", "site": None}},
]


class Blog(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    posts = []

    def do_GET(self):
        address = urlsplit(self.path)
        parts = address.path.strip("/").split("/")
        match parts:
            case ["timeline"]:
                page = int(parse_qs(address.query).get("page", ["1"])[0])
                first = (page - 1) * 20 + 1
                self.answer(200, [{"id": n, "title": f"Post {n}"} for n in range(first, first + 20)])
            case ["users", identifier]:
                self.answer(200, {"id": identifier, "name": "Ada"})
            case ["posts"]:
                self.answer(200, self.posts)
            case ["posts", number] if number.isdigit() and int(number) <= len(self.posts):
                self.answer(200, self.posts[int(number) - 1])
            case ["shop", "products"]:
                self.answer(200, PRODUCTS)
            case ["shop", "search"]:
                text = parse_qs(address.query).get("q", [""])[0]
                # The search after each letter begins before the answer to the last one.
                time.sleep(0.1 * len(text))
                self.answer(200, [product for product in PRODUCTS if product["name"].lower().startswith(text)])
            case ["old"]:
                self.answer(301, {}, {"Location": "/timeline?page=1"})
            case ["photos", name]:
                picture = b"\x89PNG\r\n\x1a\n" + hashlib.sha256(name.encode()).digest() * 80
                self.send(200, picture, {"Content-Type": "image/png"})
            case _:
                self.answer(404, {"error": "nothing here"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        match self.path:
            case "/sessions":
                login = json.loads(body)
                if PASSWORDS.get(login.get("name")) != login.get("password"):
                    return self.answer(401, {"error": "who?"})
                self.answer(201, {"access_token": hashlib.sha256(body).hexdigest()})
            case "/posts":
                if not self.headers.get("Authorization", "").startswith("Bearer "):
                    return self.answer(401, {"error": "sign in first"})
                post = {"id": len(self.posts) + 1, "title": json.loads(body)["title"]}
                self.posts.append(post)
                self.answer(201, post, {"Location": f"/posts/{post['id']}"})
            case "/shop/orders":
                self.answer(201, {"id": 7, "state": "paid", "placed": "2026-11-23T09:00:00Z", "cents": json.loads(body)["cents"]})
            case "/upload":
                self.answer(201, {"bytes": len(body), "type": self.headers.get("Content-Type", "").split(";")[0]})
            case _:
                self.answer(404, {"error": "nothing here"})

    def answer(self, status, value, headers={}):
        self.send(status, json.dumps(value).encode(), {"Content-Type": "application/json", **headers})

    def send(self, status, body, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", PORT), Blog).serve_forever()
