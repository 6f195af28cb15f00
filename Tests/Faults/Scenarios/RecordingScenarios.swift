import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Scenario {
    /// Conversations that are recorded, each kind of body and of end among them.
    static let recording: [Scenario] = [
        Scenario(name: "record-once") { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .once,
                configuration: stage.configuration
            ) { _ in
                try await stage.converse()
            }
        },
        Scenario(name: "record-forms-of-tasks") { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .once,
                configuration: stage.configuration
            ) {
                try await stage.useTasks(of: $0.session)
            }
        },
        Scenario(
            name: "record-all",
            prepare: { stage in
                try await stage.record(["binary/200000", "status/200", "echo/1"])
            },
            act: { stage in
                try await withCassette(
                    "talk",
                    in: stage.folder.url,
                    mode: .all,
                    configuration: stage.configuration
                ) {
                    _ in
                    try await stage.get("/status/200")
                    try await stage.get("/binary/150000")
                }
            }
        ),
        Scenario(
            name: "record-new-episodes",
            prepare: { try await $0.record(["binary/200000", "json"]) },
            act: { stage in
                try await withCassette(
                    "talk",
                    in: stage.folder.url,
                    mode: .newEpisodes,
                    configuration: stage.configuration
                ) { _ in
                    try await stage.get("/json")
                    try await stage.get("/empty")
                    try await stage.get("/binary/150000")
                }
            }
        ),
        Scenario(name: "record-failure") { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .once,
                configuration: stage.configuration
            ) { _ in
                // The fault, which is not the failure that is expected, has to reach the test.
                do { try await stage.get("/cut") } catch { stage.tell(error) }
                try await stage.get("/status/404")
            }
        },
        Scenario(
            name: "record-of-failed-test",
            prepare: { try await $0.record(["json"]) },
            act: { stage in
                do {
                    try await withCassette(
                        "talk",
                        in: stage.folder.url,
                        mode: .all,
                        configuration: stage.configuration
                    ) {
                        _ in
                        try await stage.get("/json")
                        throw AnswerFailure(text: "the test fails")
                    }
                } catch {
                    stage.tell(error)
                }
            }
        ),
        Scenario(name: "record-and-withhold") { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .once,
                configuration: stage.configuration
            ) { _ in
                try await stage.send(
                    stage.request(
                        "/echo/1",
                        "POST",
                        body: "ghp_abcdefghijABCDEFGHIJ0123456789abcdef",
                        type: "text/plain"
                    )
                )
            }
        },
        Scenario(name: "record-late-secret") { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .once,
                configuration: stage.configuration
            ) { _ in
                try await stage.send(
                    stage.request("/echo/1", "POST", body: "note=the+longest+word+of+all", type: "text/plain")
                )
                try await stage.send(
                    stage.request(
                        "/echo/2",
                        "POST",
                        body: #"{"password": "the+longest+word+of+all"}"#,
                        type: "application/json"
                    )
                )
            }
        },
        Scenario(name: "record-without-scope") { stage in
            let location = try CassetteLocation(name: "talk", in: stage.folder.url)
            let stubber = try Stubber(at: location, mode: .once, configuration: stage.configuration)
            try await stage.get("/json", in: stubber.session)
            try await stage.get("/gzip", in: stubber.session)
            try stubber.eject()
        },
        Scenario(name: "record-decks") { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .once,
                configuration: stage.configuration
            ) {
                stubber in
                try await stage.get("/json")
                try stubber.insert("second")
                try await stage.get("/empty")
                try stubber.insert("second", in: nil, mode: .newEpisodes)
                stage.keepArchives()
                try await stage.get("/status/201")
            }
        },
    ]
}

extension Stage {
    /// Records some paths, before any point is armed.
    func record(_ paths: [String]) async throws {
        try await withCassette("talk", in: folder.url, mode: .all, configuration: configuration) { _ in
            for path in paths { try await get("/\(path)") }
        }
    }

    /// A conversation with a body of each kind.
    func converse(in session: URLSession = .shared) async throws {
        try await get("/json", in: session)
        var secret = request("/echo/1?api_key=do-not-tell-12345", "GET")
        secret.setValue("Bearer do-not-tell-67890", forHTTPHeaderField: "Authorization")
        try await send(secret, in: session)
        let form = "user=ada&password=do-not-tell-24680"
        try await send(
            request("/echo/2", "POST", body: form, type: "application/x-www-form-urlencoded"),
            in: session
        )
        try await send(
            request(
                "/echo/3",
                "POST",
                body: #"{"query": "query A { a }", "token": "do-not-tell-11111"}"#,
                type: "application/json"
            ),
            in: session
        )
        let parts = "--cut\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--cut--\r\n"
        try await send(
            request("/echo/4", "POST", body: parts, type: "multipart/form-data; boundary=cut"),
            in: session
        )
        let great = String(repeating: "great ", count: 20_000)
        try await send(request("/echo/5", "POST", body: great, type: "text/plain"), in: session)
        for path in [
            "binary/100000", "gzip", "redirect/2", "cookies", "chunks/2", "empty", "status/404", "latin",
        ] {
            try await get("/\(path)", in: session)
        }
    }

    /// The forms of tasks that are loaded in ways of their own.
    func useTasks(of session: URLSession) async throws {
        let file = folder["upload.txt"]
        try Data("from a file".utf8).write(to: file)
        let (uploaded, answer) = try await session.upload(for: request("/echo/1", "POST"), fromFile: file)
        try check(uploaded, answer)
        let (sent, second) = try await session.upload(for: request("/echo/2", "POST"), from: Data("bytes".utf8))
        try check(sent, second)
        var streamed = request("/echo/3", "POST")
        streamed.httpBodyStream = InputStream(data: Data("from a stream".utf8))
        try await handled(streamed, in: session)
        let (location, response) = try await session.download(for: request("/binary/5000"))
        try check(try Data(contentsOf: location), response)
        try await handled(request("/json"), in: session)
    }

    private func handled(_ request: URLRequest, in session: URLSession) async throws {
        let (data, response): (Data?, URLResponse?) = try await withCheckedThrowingContinuation {
            continuation in
            session.dataTask(with: request) { data, response, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: (data, response))
                }
            }.resume()
        }
        try check(data, response)
    }
}
