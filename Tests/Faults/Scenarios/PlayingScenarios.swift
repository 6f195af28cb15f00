import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Scenario {
    /// Cassettes that are played, whether they have an answer or not.
    static let playing: [Scenario] = [
        Scenario(
            name: "play",
            prepare: { stage in
                try await withCassette("talk", in: stage.folder.url, mode: .all) { _ in
                    try await stage.converse()
                }
            },
            act: { stage in
                try await withCassette(
                    "talk",
                    in: stage.folder.url,
                    mode: .none,
                    configuration: stage.configuration
                ) {
                    _ in
                    try await stage.converse()
                }
            }
        ),
        Scenario(
            name: "play-forms-of-tasks",
            prepare: { stage in
                try await withCassette("talk", in: stage.folder.url, mode: .all) {
                    try await stage.useTasks(of: $0.session)
                }
            },
            act: { stage in
                try await withCassette(
                    "talk",
                    in: stage.folder.url,
                    mode: .none,
                    configuration: stage.configuration
                ) {
                    try await stage.useTasks(of: $0.session)
                }
            }
        ),
        Scenario(name: "play-with-matchers", prepare: { try await $0.recordBodies() }) { stage in
            var configuration = stage.configuration
            configuration.matching = [
                .method, .path, .query(ignoring: "at"), .headers("X-Kind"),
                .body.ignoring(
                    .jsonPaths("$.id", "$..at[0]", "$['b c']"),
                    .formFields("at"),
                    .multipartParts("at")
                ),
            ]
            configuration.timing = .scaled(0.01)
            try await withCassette("talk", in: stage.folder.url, mode: .none, configuration: configuration) {
                _ in
                try await stage.sendBodies(2)
            }
        },
        Scenario(name: "play-graphql", prepare: { try await $0.recordQueries() }) { stage in
            var configuration = stage.configuration
            configuration.matching = [.method, .url, .graphQL]
            try await withCassette("talk", in: stage.folder.url, mode: .none, configuration: configuration) {
                _ in
                try await stage.sendQueries("  ")
            }
        },
        Scenario(name: "miss", prepare: { try await $0.recordBodies() }) { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .none,
                configuration: stage.configuration
            ) { _ in
                do { try await stage.sendBodies(2) } catch { stage.tell(error) }
                do { try await stage.get("/nothing") } catch { stage.tell(error) }
            }
        },
        Scenario(name: "play-unusual-archive", prepare: { try $0.putUnusualArchive() }) { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .none,
                configuration: stage.configuration
            ) { _ in
                try await stage.get("/json")
                try await stage.get("/binary/3")
                let form = "a=1&b=%20"
                try await stage.send(
                    stage.request("/echo/1", "POST", body: form, type: "application/x-www-form-urlencoded")
                )
            }
        },
        Scenario(name: "broken-archive", prepare: { try $0.putBrokenArchive() }) { stage in
            do {
                try await withCassette("talk", in: stage.folder.url, mode: .none) { _ in
                    try await stage.get("/json")
                }
            } catch {
                stage.tell(error)
            }
        },
        Scenario(name: "verify", prepare: { try $0.putDrifted() }) { stage in
            var configuration = stage.configuration
            configuration.drift = .fail
            do {
                try await withCassette(
                    "talk",
                    in: stage.folder.url,
                    mode: .verify,
                    configuration: configuration
                ) { _ in
                    try await stage.get("/json")
                    try await stage.get("/status/200")
                }
            } catch {
                stage.tell(error)
            }
        },
        Scenario(name: "renew-by-age", prepare: { try $0.putDrifted() }) { stage in
            var configuration = stage.configuration
            configuration.maxAge = .days(1, .reRecord)
            try await withCassette("talk", in: stage.folder.url, mode: .once, configuration: configuration) {
                _ in
                try await stage.get("/json")
            }
        },
        Scenario(name: "play-nested", prepare: { try await $0.record(["json"]) }) { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .none,
                configuration: stage.configuration
            ) { _ in
                try await withCassette(
                    "inner",
                    in: stage.folder.url,
                    mode: .once,
                    configuration: stage.configuration
                ) {
                    _ in
                    try await stage.get("/json")
                    try await stage.get("/empty")
                }
            }
        },
        Scenario(name: "play-synchronously", prepare: { try await $0.record(["json"]) }) { stage in
            try withCassette("talk", in: stage.folder.url, mode: .none, configuration: stage.configuration) {
                _ in
                let done = DispatchSemaphore(value: 0)
                let failure = Locked<(any Error)?>(nil)
                URLSession.shared.dataTask(with: stage.request("/json")) { _, _, error in
                    failure.withLock { $0 = error }
                    done.signal()
                }.resume()
                done.wait()
                if let error = failure.withLock({ $0 }) { throw error }
            }
        },
    ]
}

extension Stage {
    fileprivate func recordBodies() async throws {
        try await withCassette("talk", in: folder.url, mode: .all) { _ in try await sendBodies(1) }
    }

    /// Sends bodies of all kinds, which differ by a number in places that can be left out.
    fileprivate func sendBodies(_ number: Int) async throws {
        let json =
            #"{"id": \#(number), "list": {"at": [\#(number), 2]}, "b c": \#(number), "same": [1.0, "x"]}"#
        var first = request("/echo/1?at=\(number)&same=1", "POST", body: json, type: "application/json")
        first.setValue("json", forHTTPHeaderField: "X-Kind")
        try await send(first)
        let form = "at=\(number)&same=1"
        try await send(request("/echo/2", "POST", body: form, type: "application/x-www-form-urlencoded"))
        let part = { (name: String, text: String) in
            "--cut\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(text)\r\n"
        }
        let parts = part("at", "\(number)") + part("same", "1") + "--cut--\r\n"
        try await send(request("/echo/3", "POST", body: parts, type: "multipart/form-data; boundary=cut"))
    }

    fileprivate func recordQueries() async throws {
        try await withCassette("talk", in: folder.url, mode: .all) { _ in try await sendQueries("") }
    }

    fileprivate func sendQueries(_ space: String) async throws {
        let query = #"{"query": "query A {\#(space) a }", "variables": {"b": 1}, "operationName": "A"}"#
        try await send(request("/echo/1", "POST", body: query, type: "application/json"))
        let variables = "%7B%22b%22:\(space.isEmpty ? "" : "%20")1%7D"
        try await get("/echo/2?query=query%20A%20%7B%20a%20%7D&variables=\(variables)")
    }

    /// An archive with what others write and the quick reading leaves to the slow one.
    fileprivate func putUnusualArchive() throws {
        let text = """
            {"log": {"version": "1.2", "creator": {"name": "other", "version": "1"}, "comment": "own", "entries": [
              {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1e1, "request": {"method": "GET",
                "url": "\(url("/json"))", "httpVersion": "HTTP/1.1", "headers": [{"name": "A", "value": "b"}],
                "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
                "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [
                {"name": "X-\\u0041", "value": "\\u0042"}], "cookies": [], "redirectURL": "", "headersSize": -1,
                "bodySize": -1, "content": {"size": 2, "mimeType": "application/json", "text": "{}"}},
                "cache": {}, "timings": {"send": 0, "wait": 1.5, "receive": 2}, "_rewind": {"chunks": [
                [0, 1], [0.5, 1]], "redacted": ["a", "b"]}},
              {"startedDateTime": "2026-01-01T00:00:00+01:00", "time": 1, "request": {"method": "GET",
                "url": "\(url("/binary/3"))", "headers": []}, "response": {"status": 200, "headers": [],
                "content": {"text": "AAEC", "encoding": "base64"}}},
              {"startedDateTime": "2026-01-01T00:00:00Z", "request": {"method": "POST",
                "url": "\(url("/echo/1"))", "headers": [{"name": "Content-Type",
                "value": "application/x-www-form-urlencoded"}], "postData": {"mimeType":
                "application/x-www-form-urlencoded", "params": [{"name": "a", "value": "1"},
                {"name": "b", "value": " "}]}}, "response": {"status": 200, "headers": [], "content": {}}},
              {"startedDateTime": "2026-01-01T00:00:00Z", "request": {"method": "POST",
                "url": "\(url("/echo/2"))", "headers": [], "postData": {"mimeType":
                "multipart/form-data; boundary=cut", "params": [{"name": "a", "value": "1"},
                {"name": "f", "fileName": "f.txt", "contentType": "text/plain", "value": "x"}]}},
                "response": {"status": 0, "headers": [], "content": {}}, "_rewind": {"failure":
                {"domain": "NSURLErrorDomain", "code": -1004, "message": "no"}}}]}}
            """
        try Data(text.utf8).write(to: folder["talk.har"])
    }

    fileprivate func putBrokenArchive() throws {
        try Data(#"{"log": {"version": "1.2", "entries": [{"request": {"method": "GET"}}, 1 2]}}"#.utf8)
            .write(to: folder["talk.har"])
    }

    /// A cassette of long ago that says another thing than the server.
    fileprivate func putDrifted() throws {
        let old = [
            ("/json", #"{"id": "forty-two", "old": [1]}"#, "application/json"),
            ("/status/200", "visit", "text/html"),
        ]
        let interactions = old.map { path, text, type in
            Interaction(
                request: Request(url: url(path).absoluteString),
                outcome: .response(Response(headers: ["Content-Type": type], body: Body(text))),
                startedAt: Date(timeIntervalSince1970: 1_700_000_000)
            )
        }
        try Cassette(interactions: interactions).write(to: folder["talk.har"])
    }
}
