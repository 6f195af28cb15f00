import Foundation

/// The answers of the raw server, by the first component of the path.
package enum ServerScript {
    /// The size of the body of `/large`.
    package static let largeCount = 300_000

    /// The steps that follow a request.
    package static func steps(for request: RawServer.RawRequest) -> [RawServer.Step] {
        let isHead = request.head.hasPrefix("HEAD ")
        let path = request.path.split(separator: "?").first.map(String.init) ?? ""
        switch path {
        case "/text": return [.send(answer("200 OK", "hello", ["X-One: 1", "ETag: \"a\""], isHead: isHead))]
        case "/status":
            let status = request.path.split(separator: "?").last.map(String.init) ?? "200"
            return [.send(answer("\(status) Status", "status \(status)", isHead: isHead))]
        case "/empty": return [.send("HTTP/1.1 204 No Content\r\n\r\n")]
        case "/unchanged": return [.send("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n")]
        case "/nothing": return [.send(answer("200 OK", ""))]
        case "/latin":
            return [
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=ISO-8859-1\r\nContent-Length: 2\r\n\r\n"
                ),
                .sendData(Data([0xE4, 0xFF])),
            ]
        case "/gzip":
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n"
            return [.send(head + "Content-Length: \(compressed.count)\r\n\r\n"), .sendData(compressed)]
        case "/chunks":
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            let pieces = ["one", "three", "seven77"].flatMap { piece -> [RawServer.Step] in
                [.send("\(piece.utf8.count)\r\n\(piece)\r\n"), .pause(40)]
            }
            return [.send(head), .pause(40)] + pieces + [.send("0\r\n\r\n")]
        case "/large":
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
            return [.send(head + "Content-Length: \(largeCount)\r\n\r\n"), .sendData(Data(count: largeCount))]
        case "/old": return [.send("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold"), .close]
        case "/cookies":
            let fields = ["Set-Cookie: one=1; Path=/", "Set-Cookie: two=2; Path=/; HttpOnly"]
            return [.send(answer("200 OK", "cookies", fields))]
        case "/attached":
            return [.send(answer("200 OK", "file", ["Content-Disposition: attachment; filename=\"a b.txt\""]))]
        default: return redirects(path, isHead: isHead) ?? challenges(request, path) ?? failures(path)
        }
    }

    private static func redirects(_ path: String, isHead: Bool) -> [RawServer.Step]? {
        func redirect(_ status: Int, to target: String, _ fields: [String] = []) -> [RawServer.Step] {
            [.send(answer("\(status) Moved", "moved", ["Location: \(target)"] + fields, isHead: isHead))]
        }
        switch path {
        case "/moved": return redirect(302, to: "/text")
        case "/moved-twice": return redirect(301, to: "/moved")
        case "/see-other": return redirect(303, to: "/text")
        case "/temporary": return redirect(307, to: "/text")
        case "/with-cookie": return redirect(302, to: "/text", ["Set-Cookie: hop=1; Path=/"])
        case "/to-refused": return redirect(302, to: "http://127.0.0.1:1/")
        case "/loop": return redirect(302, to: "/loop")
        case "/to-hang": return redirect(302, to: "/hang")
        case "/nowhere": return [.send(answer("302 Found", "lost"))]
        default: return nil
        }
    }

    private static func challenges(_ request: RawServer.RawRequest, _ path: String) -> [RawServer.Step]? {
        switch path {
        case "/basic":
            let expected = "Basic " + Data("ada:lovelace".utf8).base64EncodedString()
            guard request.value(of: "Authorization") != expected else {
                return [.send(answer("200 OK", "welcome"))]
            }
            return [.send(answer("401 Unauthorized", "who?", ["WWW-Authenticate: Basic realm=\"engines\""]))]
        case "/digest":
            return [
                .send(answer("401 Unauthorized", "who?", ["WWW-Authenticate: Digest realm=\"d\", nonce=\"1\""]))
            ]
        case "/bearer": return [.send(answer("401 Unauthorized", "who?", ["WWW-Authenticate: Bearer"]))]
        case "/unnamed": return [.send(answer("401 Unauthorized", "who?"))]
        default: return nil
        }
    }

    private static func failures(_ path: String) -> [RawServer.Step] {
        switch path {
        case "/cut":
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nonly this"),
                .pause(40), .close,
            ]
        case "/reset": return [.reset]
        case "/silent": return [.close]
        case "/hang": return [.hang]
        case "/head-only":
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nonly"), .hang,
            ]
        case "/slow": return [.pause(300), .send(answer("200 OK", "slow"))]
        default: return [.send(answer("404 Not Found", "nothing here"))]
        }
    }

    private static func answer(
        _ status: String,
        _ body: String,
        _ fields: [String] = [],
        isHead: Bool = false
    ) -> String {
        let head =
            ["HTTP/1.1 \(status)", "Content-Type: text/plain", "Content-Length: \(body.utf8.count)"] + fields
        return head.joined(separator: "\r\n") + "\r\n\r\n" + (isHead ? "" : body)
    }

    /// The text `compressed, compressed, compressed`, compressed with gzip.
    private static let compressed =
        Data(base64Encoded: "H4sIAAAAAAACA0vOzy0oSi0uTk3RUUjGygYAMub1vSIAAAA=") ?? Data()
}
