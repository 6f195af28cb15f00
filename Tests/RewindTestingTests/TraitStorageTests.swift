#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import RewindTestSupport
    import RewindTesting
    import Testing

    /// The server and the folder that all tests of the suite share.
    private enum Place {
        static let server = try? ConversationServer()
        static let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("rewind-storage-\(ProcessInfo.processInfo.processIdentifier)")

        /// Removes the folder when the process exits.
        static let isCleaned: Void = { atexit { try? FileManager.default.removeItem(at: Place.folder) } }()

        static subscript(path: String) -> URL {
            server?[path] ?? URL(fileURLWithPath: "/")
        }

        /// Without redaction, as the tests compare cookies.
        static var configuration: Stubber.Configuration {
            var configuration = Stubber.Configuration()
            configuration.redaction = .off
            return configuration
        }
    }

    struct TraitStorageTests {
        private func visit(_ user: String) async throws {
            _ = Place.isCleaned
            let shared = HTTPCookieStorage.shared
            #expect(shared.cookies(for: Place["/"]) == [])
            var login = URLRequest(url: Place["login"])
            login.setValue(user, forHTTPHeaderField: "X-User")
            #expect(await Outcome(of: login).text == "hello \(user)")
            for turn in 1...5 {
                let sent = await Outcome(of: Place["echo"]).headers["X-Sent-Cookie"]
                #expect(sent == "user=\(user)", "turn \(turn)")
                #expect(shared.cookies(for: Place["/"])?.map(\.value) == [user], "turn \(turn)")
                await Task.yield()
            }
        }

        @Test(
            .cassette(in: Place.folder, mode: .all, configuration: Place.configuration),
            arguments: (0..<40).map { "recorded\($0)" }
        )
        func recording(user: String) async throws {
            try await visit(user)
        }

        @Test(
            .cassette(in: Place.folder, mode: .live, configuration: Place.configuration),
            arguments: (0..<40).map { "live\($0)" }
        )
        func live(user: String) async throws {
            try await visit(user)
        }

        @Test(
            .cassette(in: Place.folder, mode: .all, configuration: Place.configuration),
            arguments: (0..<40).map { "user\($0)" }
        )
        func credentials(user: String) async throws {
            let url = Place["whoami"]
            let space = URLProtectionSpace(
                host: url.host ?? "",
                port: url.port ?? 0,
                protocol: "http",
                realm: "members",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            )
            let shared = URLCredentialStorage.shared
            #expect(shared.allCredentials.isEmpty)
            shared.setDefaultCredential(.init(user: user, password: "1", persistence: .forSession), for: space)
            for turn in 1...5 {
                #expect(await Outcome(of: url).text == "\(user):1", "turn \(turn)")
                #expect(shared.allCredentials.values.flatMap(\.keys) == [user], "turn \(turn)")
                await Task.yield()
            }
        }
    }
#endif
