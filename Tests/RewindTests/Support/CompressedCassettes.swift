import Foundation

/// Cassettes of other systems whose responses stand compressed, as these came over the wire.
enum CompressedCassettes {
    /// A system, and how it writes a cassette of compressed bodies.
    enum System: String, CaseIterable, Sendable {
        case ruby, python, go, oldPython
    }

    /// A cassette of a system with some bodies, each said to be in a coding.
    static func cassette(_ system: System, _ bodies: [Data], coding: String = "gzip") -> Data {
        let entries = bodies.enumerated().map { number, body in
            entry(system, number, body.base64EncodedString(), coding)
        }
        let text =
            switch system {
            case .ruby:
                "{\"http_interactions\": [\n\(entries.joined(separator: ",\n"))\n], \"recorded_with\": \"VCR 6.0.0\"}\n"
            case .python: "interactions:\n\(entries.joined())version: 1\n"
            case .go: "---\nversion: 1\ninteractions:\n\(entries.joined())"
            case .oldPython: "[\n\(entries.joined(separator: ",\n"))\n]\n"
            }
        return Data(text.utf8)
    }

    private static func entry(_ system: System, _ number: Int, _ base64: String, _ coding: String) -> String {
        switch system {
        case .ruby:
            """
            {"request": {"method": "get", "uri": "http://h/\(number)", "headers": {}},
             "response": {"status": {"code": 200, "message": "OK"}, "headers": {"Content-Encoding": ["\(coding)"]},
              "body": {"encoding": "ASCII-8BIT", "base64_string": "\(base64)"}}}
            """
        case .python:
            """
            - request:
                method: GET
                uri: http://h/\(number)
                headers: {}
                body: null
              response:
                status:
                  code: 200
                  message: OK
                headers:
                  Content-Encoding:
                  - \(coding)
                body:
                  string: !!binary |
                    \(base64)

            """
        case .go:
            """
            - request:
                method: GET
                url: http://h/\(number)
                headers: {}
                body: ""
              response:
                headers:
                  Content-Encoding:
                  - \(coding)
                body: !!binary |
                  \(base64)
                status: 200 OK
                code: 200
                duration: 1ms

            """
        case .oldPython:
            """
            {"request": {"protocol": "http", "host": "h", "path": "/\(number)", "method": "GET", "headers": {}},
             "response": {"status": {"code": 200, "message": "OK"}, "headers": ["Content-Encoding: \(coding)\\r\\n"],
              "body": {"base64_string": "\(base64)"}}}
            """
        }
    }
}
