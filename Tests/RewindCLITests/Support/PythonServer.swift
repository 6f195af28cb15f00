import Foundation
import XCTest

/// Python's `http.server` with the endpoints of the demo, as an independent implementation.
final class PythonServer {
    let url: URL
    private let process = Process()
    private let hasEnded = DispatchSemaphore(value: 0)

    private static let need = "needs python3: apt-get install python3, or brew install python3"

    /// Starts the server on a free port. Without `python3`, the test is skipped.
    init() throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-u", "-c", Self.script]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { [hasEnded] _ in hasEnded.signal() }
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
            guard !byte.isEmpty else { throw XCTSkip(Self.need) }
            line += byte
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)),
            let url = URL(string: "http://127.0.0.1:\(port)")
        else { throw XCTSkip(Self.need) }
        self.url = url
    }

    func stop() {
        guard process.isRunning else { return }
        // The process may have inherited blocked signals, so SIGTERM might have no effect.
        kill(process.processIdentifier, SIGKILL)
        _ = hasEnded.wait(timeout: .now() + 5)
    }

    private static let script = """
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        ticks = 0
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def answer(self, status, kind=None, body=b"", **headers):
                self.send_response(status)
                if kind: self.send_header("Content-Type", kind)
                for name, value in headers.items(): self.send_header(name, value)
                if status != 204: self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_GET(self):
                global ticks
                if self.path == "/user": self.answer(200, "application/json", b'{"id": 42}')
                elif self.path == "/clock":
                    ticks += 1
                    self.answer(200, "text/plain", b"tick %d" % ticks)
                elif self.path == "/old": self.answer(302, Location="/user")
                elif self.path == "/image": self.answer(200, "image/x-demo", bytes(range(256)) * 40)
                elif self.path == "/feed":
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    for number in (1, 2): self.wfile.write(b"9\\r\\ndata: %d\\n\\n\\r\\n" % number)
                    self.wfile.write(b"0\\r\\n\\r\\n")
                else: self.answer(404, "text/plain", b"nothing")
            def do_POST(self):
                self.answer(201, "application/json", self.rfile.read(int(self.headers["Content-Length"])))
            def do_DELETE(self): self.answer(204)
            def log_message(self, *arguments): pass
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """
}
