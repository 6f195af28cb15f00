import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The requests of the tool, made in the ways in which such tools make them.
struct WeatherService: Sendable {
    let base: URL
    private let session = URLSession(configuration: .default)

    init(base: URL) { self.base = base }

    private func url(_ path: String) throws -> URL {
        guard let url = URL(string: path, relativeTo: base)?.absoluteURL else { throw URLError(.badURL) }
        return url
    }

    private func print(_ response: (Data, URLResponse)) {
        let status = (response.1 as? HTTPURLResponse)?.statusCode ?? 0
        Swift.print(status, response.1.url?.path ?? "", String(decoding: response.0, as: UTF8.self))
    }

    /// Several requests, one after the other and in parallel: a GET, a POST, a redirect and an upload.
    func forecast(_ city: String) async throws {
        print(try await URLSession.shared.data(from: try url("/json")))
        var post = URLRequest(url: try url("/echo?kind=post"))
        post.httpMethod = "POST"
        post.httpBody = Data(#"{"city": "\#(city)"}"#.utf8)
        post.setValue("application/json", forHTTPHeaderField: "Content-Type")
        print(try await session.data(for: post))
        let lengths = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 1...4 {
                let url = try url("/binary/\(number * 1000)")
                group.addTask { (number, try await session.data(from: url).0.count) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        Swift.print(lengths.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
        print(try await session.data(from: try url("/redirect/2")))
        var upload = URLRequest(url: try url("/echo?kind=upload"))
        upload.httpMethod = "PUT"
        print(try await session.upload(for: upload, from: Data(repeating: 87, count: 5000)))
    }

    func get(_ path: String) async throws { print(try await session.data(from: try url(path))) }

    /// Requests a path that may fail, and goes on as if nothing had happened.
    func insist(_ path: String) async throws {
        let answer = try? await session.data(from: try url(path))
        Swift.print(answer == nil ? "no answer" : "an answer")
    }

    func getDetached(_ path: String) async throws {
        let url = try url(path)
        print(try await Task.detached { try await URLSession.shared.data(from: url) }.value)
    }

    /// Ends the process in the completion handler of its last request.
    func exitInHandler(_ path: String) {
        guard let url = try? url(path) else { return }
        session.dataTask(with: url) { data, _, error in
            Swift.print(data.map { String(decoding: $0, as: UTF8.self) } ?? "\(String(describing: error))")
            exit(error == nil ? 0 : 1)
        }.resume()
        while true { sleep(60) }
    }

    /// Starts a request and does not wait for it.
    func leave(_ path: String) {
        guard let url = try? url(path) else { return }
        session.dataTask(with: url) { _, _, _ in }.resume()
        Swift.print("left")
    }

    /// Makes a request, says so, and waits for its end by a signal.
    func getAndWait(_ path: String) async throws {
        print(try await session.data(from: try url(path)))
        // Otherwise what was printed is lost with the process.
        fflush(nil)
        FileHandle.standardOutput.write(Data("READY\n".utf8))
        while true { sleep(60) }
    }

    /// Is killed as soon as a request has failed.
    func dieWithoutAnswer(_ path: String) async throws {
        do { try await get(path) } catch { kill(getpid(), SIGKILL) }
    }

    /// Ends on SIGTERM in its own way.
    func handleSignal(_ path: String) async throws {
        signal(SIGTERM) { _ in exit(7) }
        try await getAndWait(path)
    }

    /// Launches itself with the same environment, as tools do that consist of several programs.
    func relaunch(_ path: String) throws {
        for _ in 0..<2 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = [base.absoluteString, "insist", path]
            try process.run()
            process.waitUntilExit()
        }
    }
}
