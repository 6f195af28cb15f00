#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import RewindTestSupport
    import XCTest

    @testable import Rewind

    /// A test has its own cookies, credentials and cached responses; those of the machine are not changed.
    final class StorageIsolationTests: XCTestCase {
        private var server: ConversationServer!
        private var folder: TemporaryDirectory!
        private var seed: HTTPCookie!

        /// Without redaction, as the tests compare cookies.
        private var configuration: Stubber.Configuration {
            var configuration = Stubber.Configuration()
            configuration.redaction = .off
            return configuration
        }

        /// Gives this process its own file of cookies, which parallel test processes would share.
        override class func setUp() {
            let home = FileManager.default.temporaryDirectory
                .appendingPathComponent("rewind-home-\(ProcessInfo.processInfo.processIdentifier)")
            setenv("XDG_DATA_HOME", home.path, 1)
        }

        override func setUpWithError() throws {
            server = try ConversationServer()
            folder = try TemporaryDirectory()
            seed = try cookie("left", "behind")
            HTTPCookieStorage.shared.setCookie(seed)
        }

        override func tearDown() {
            server.stop()
            HTTPCookieStorage.shared.deleteCookie(seed)
            URLCache.shared.removeCachedResponse(for: URLRequest(url: server["cacheable"]))
        }

        private func cookie(_ name: String, _ value: String) throws -> HTTPCookie {
            try XCTUnwrap(
                HTTPCookie(properties: [
                    .name: name, .value: value, .domain: "127.0.0.1", .path: "/",
                    .expires: Date(timeIntervalSinceNow: 3600),
                ])
            )
        }

        private func sent(_ session: URLSession = .shared) async -> String? {
            await Outcome(of: server["echo"], in: session).headers["X-Sent-Cookie"]
        }

        private var seen: [String] {
            (HTTPCookieStorage.shared.cookies(for: server.url) ?? []).map { "\($0.name)=\($0.value)" }.sorted()
        }

        private var fileOfCookies: Data? {
            let path = StoredFields(of: HTTPCookieStorage.self)
                .read("cookieFilePath", of: HTTPCookieStorage.shared)
            return (path as? String).flatMap { FileManager.default.contents(atPath: $0) }
        }

        private func with<Result>(
            _ name: String = "talk",
            _ mode: RecordingMode = .once,
            _ configuration: Stubber.Configuration? = nil,
            _ body: (Stubber) async throws -> Result
        ) async throws -> Result {
            try await withCassette(
                name,
                in: folder.url,
                mode: mode,
                configuration: configuration ?? self.configuration,
                body
            )
        }

        // MARK: Cookies

        func testCookiesOfTheMachineAreNeitherSentNorRecordedNorChanged() async throws {
            let file = try XCTUnwrap(fileOfCookies)
            XCTAssertTrue(String(decoding: file, as: UTF8.self).contains("behind"))
            let before = await sent()
            XCTAssertEqual(before, "left=behind")
            for mode in [RecordingMode.once, .never] {
                let sent = try await with("talk", mode) { _ in await self.sent() }
                XCTAssertNil(sent)
            }
            let request = try Cassette(contentsOf: folder["talk.har"]).interactions[0].request
            XCTAssertNil(request.headers["Cookie"])
            XCTAssertEqual(seen, ["left=behind"])
            XCTAssertEqual(fileOfCookies, file)
        }

        func testCookiesOfALoginEndWithTheTest() async throws {
            struct Login: Equatable {
                var seen: [String]
                var sent: [String?]
            }
            let file = try XCTUnwrap(fileOfCookies)
            let before = URLSession(configuration: .default)
            func login() async throws -> Login {
                HTTPCookieStorage.shared.setCookie(try cookie("theme", "dark"))
                _ = await Outcome(of: server["login/ada"])
                let sent = [
                    await sent(), await sent(before), await sent(URLSession(configuration: .default)),
                    await sent(URLSession(configuration: .ephemeral)),
                ]
                return Login(
                    seen: seen,
                    sent: sent.map { $0?.components(separatedBy: "; ").sorted().joined(separator: "; ") }
                )
            }
            let both = "theme=dark; user=ada"
            let expected = Login(seen: ["theme=dark", "user=ada"], sent: [both, both, both, nil])
            for mode in [RecordingMode.once, .never, .live] {
                if mode == .never { server.stop() }
                if mode == .live { server = try ConversationServer() }
                let login = try await with("talk", mode) { _ in try await login() }
                XCTAssertEqual(login, expected, "\(mode)")
                XCTAssertEqual(seen, ["left=behind"])
            }
            XCTAssertEqual(fileOfCookies, file)
        }

        func testACookieOfARedirectIsSentToTheNextHop() async throws {
            let result = try await RecordAndReplay(configuration: configuration) { servers in
                _ = await Outcome(of: servers[0]["login/ada"])
                return await Outcome(of: servers[0]["location/302?/echo"]).headers["X-Sent-Cookie"]
            }
            XCTAssertEqual(result.live, "user=ada")
            XCTAssertEqual(result.replayed, "user=ada")
        }

        func testATestStartsWithoutTheCookiesOfTheTestBefore() async throws {
            for name in ["one", "other"] {
                let first = try await with(name) { _ in
                    let first = await self.sent()
                    _ = await Outcome(of: self.server["login/\(name)"])
                    return first
                }
                XCTAssertNil(first)
            }
        }

        func testEveryMemberOfTheCookieStorageUsesTheTestsStorage() async throws {
            let shared = HTTPCookieStorage.shared
            let policy = shared.cookieAcceptPolicy
            try await with { _ in
                XCTAssertEqual(shared.cookies, [])
                XCTAssertEqual(shared.cookieAcceptPolicy, policy)
                let own = try self.cookie("own", "1")
                shared.setCookies([own], for: self.server.url, mainDocumentURL: nil)
                XCTAssertEqual(shared.cookies, [own])
                XCTAssertEqual(shared.cookies(for: self.server.url), [own])
                XCTAssertEqual(shared.sortedCookies(using: []), [own])
                XCTAssertEqual("\(shared)", "<NSHTTPCookieStorage cookies count:1>")
                XCTAssertEqual("\(type(of: shared))", "HTTPCookieStorage")
                shared.deleteCookie(own)
                XCTAssertEqual(shared.cookies, [])
                shared.setCookie(own)
                shared.removeCookies(since: .distantPast)
                XCTAssertEqual(shared.cookies, [])
                shared.cookieAcceptPolicy = .never
                shared.setCookie(own)
                XCTAssertEqual(shared.cookies, [])
            }
            XCTAssertEqual(shared.cookieAcceptPolicy, policy)
            XCTAssertEqual(seen, ["left=behind"])
        }

        // MARK: The owner of the storage

        func testIsolationCanBeTurnedOff() async throws {
            var configuration = configuration
            configuration.isolatesSharedStorage = false
            let sent = try await with("talk", .once, configuration) { _ in
                XCTAssertFalse(Interception.shared.isolatesStorage)
                return await self.sent()
            }
            XCTAssertEqual(sent, "left=behind")
            // It applies to this test alone, even while an isolated test runs.
            let (isolated, open) = try await with("isolated", .once) { _ in
                let open = try await self.with("open", .once, configuration) { _ in await self.sent() }
                return (await self.sent(), open)
            }
            XCTAssertNil(isolated)
            XCTAssertEqual(open, "left=behind")
        }

        func testANestedScopeSharesTheStorageOfTheOuterScope() async throws {
            try await with("outer") { _ in
                _ = await Outcome(of: self.server["login/ada"])
                let inside = try await self.with("inner") { _ in
                    HTTPCookieStorage.shared.setCookie(try self.cookie("inner", "1"))
                    return await self.sent()
                }
                XCTAssertEqual(inside?.components(separatedBy: "; ").sorted(), ["inner=1", "user=ada"])
                XCTAssertEqual(self.seen, ["inner=1", "user=ada"])
            }
        }

        func testDetachedWorkUsesTheStorageOfTheOnlyTestAndNoneOfSeveral() async throws {
            let url = server.url
            func detached() async -> [String]? {
                await Task.detached { HTTPCookieStorage.shared.cookies(for: url)?.map(\.name) }.value
            }
            let one = try CassetteScope(Stubber(cassette: "one", in: folder.url, mode: .once))
            let own = try cookie("own", "1")
            one.run { HTTPCookieStorage.shared.setCookie(own) }
            var names = await one.run { await detached() }
            XCTAssertEqual(names, ["own"])
            let other = try CassetteScope(Stubber(cassette: "other", in: folder.url, mode: .once))
            names = await one.run { await detached() }
            XCTAssertEqual(names, [])
            XCTAssertEqual(other.run { seen }, [])
            XCTAssertEqual(one.end(testFailed: false).count + other.end(testFailed: false).count, 0)
            XCTAssertEqual(seen, ["left=behind"])
        }

        func testTheSessionOfAStubberWithoutAScopeUsesTheStubbersStorage() async throws {
            let stubber = try Stubber(cassette: "talk", in: folder.url, configuration: configuration)
            let session = stubber.session
            _ = await Outcome(of: server["login/ada"], in: session)
            let again = [await sent(session), await sent(stubber.session)]
            XCTAssertEqual(again, ["user=ada", "user=ada"])
            XCTAssertEqual(seen, ["left=behind"])
            try stubber.eject()
        }

        func testTheSessionOfTheTestsStubberUsesTheTestsStorage() async throws {
            try await with { stubber in
                let session = stubber.session
                _ = await Outcome(of: self.server["login/ada"], in: session)
                XCTAssertEqual(self.seen, ["user=ada"])
                let sent = [await self.sent(), await self.sent(session)]
                XCTAssertEqual(sent, ["user=ada", "user=ada"])
                let response = try self.cached("own")
                let request = URLRequest(url: self.server["cacheable"])
                URLCache.shared.storeCachedResponse(response, for: request)
                XCTAssertEqual(session.configuration.urlCache?.cachedResponse(for: request), response)
            }
        }

        func testASessionsOwnStorageIsNotReplaced() async throws {
            let session = URLSessionConfiguration.ephemeral
            session.httpCookieStorage?.setCookie(try cookie("mine", "1"))
            let sent = try await with { stubber in
                let both = URLSessionConfiguration.ephemeral
                both.httpCookieStorage = session.httpCookieStorage
                stubber.install(in: both)
                return [
                    await self.sent(.init(configuration: session)), await self.sent(.init(configuration: both)),
                ]
            }
            XCTAssertEqual(sent, ["mine=1", "mine=1"])
        }

        func testALiveSessionWithTheSharedStorageUsesTheTestsStorage() async throws {
            var configuration = configuration
            configuration.liveSession = .default
            let sent = try await with("talk", .once, configuration) { _ in
                [await self.sent(), await Outcome(of: self.server["login/ada"]).text, await self.sent()]
            }
            XCTAssertEqual(sent, [nil, "hello ada", "user=ada"])
            XCTAssertEqual(seen, ["left=behind"])
        }

        // MARK: Credentials

        func testCredentialsAreThoseOfTheTestLiveAndOnReplay() async throws {
            func space(_ server: ConversationServer) -> URLProtectionSpace {
                URLProtectionSpace(
                    host: "127.0.0.1",
                    port: server.url.port ?? 0,
                    protocol: "http",
                    realm: "members",
                    authenticationMethod: NSURLAuthenticationMethodHTTPBasic
                )
            }
            let shared = URLCredentialStorage.shared
            let eve = URLCredential(user: "eve", password: "1", persistence: .forSession)
            let result = try await RecordAndReplay(configuration: configuration) { servers in
                // The machine has a credential for the same protection space.
                let space = space(servers[0])
                StorageOwner.$bound.withValue(.machine) { shared.setDefaultCredential(eve, for: space) }
                defer { StorageOwner.$bound.withValue(.machine) { shared.remove(eve, for: space) } }
                XCTAssertNil(shared.defaultCredential(for: space))
                XCTAssertNil(shared.credentials(for: space))
                let before = await Outcome(of: servers[0]["whoami"])
                let ada = URLCredential(user: "ada", password: "2", persistence: .forSession)
                shared.set(ada, for: space)
                shared.setDefaultCredential(ada, for: space)
                XCTAssertEqual(shared.allCredentials, [space: ["ada": ada]])
                let after = await Outcome(of: servers[0]["whoami"])
                shared.remove(ada, for: space)
                XCTAssertEqual(shared.allCredentials, [:])
                StorageOwner.$bound.withValue(.machine) {
                    XCTAssertEqual(shared.credentials(for: space), ["eve": eve])
                    XCTAssertEqual(shared.defaultCredential(for: space), eve)
                }
                return [before.text, after.text]
            }
            XCTAssertEqual(result.live, ["who?", "ada:2"])
            XCTAssertEqual(result.replayed, result.live)
            XCTAssertEqual(shared.allCredentials, [:])
        }

        // MARK: Cached responses

        private func cached(_ text: String) throws -> CachedURLResponse {
            let response = HTTPURLResponse(
                url: server["cacheable"],
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: ["Cache-Control": "max-age=1000"]
            )
            return CachedURLResponse(response: try XCTUnwrap(response), data: Data(text.utf8))
        }

        func testALiveTestUsesItsOwnCacheAndNotThatOfTheMachine() async throws {
            let url = server["cacheable"]
            // Foundation does not store responses itself, but uses those that an app has stored.
            URLCache.shared.storeCachedResponse(try cached("machine"), for: URLRequest(url: url))
            let before = await Outcome(of: url).text
            XCTAssertEqual(before, "machine")
            let own = try await with("talk", .live) { _ in
                let first = await Outcome(of: url).text
                URLCache.shared.storeCachedResponse(try self.cached("own"), for: URLRequest(url: url))
                return [first, await Outcome(of: url).text]
            }
            XCTAssertEqual(own, ["visit 1", "own"])
            let after = await Outcome(of: url).text
            XCTAssertEqual(after, "machine")
        }

        func testEveryMemberOfTheCacheUsesTheTestsCache() async throws {
            let request = URLRequest(url: server["cacheable"])
            let response = try cached("1")
            let cache = URLCache.shared
            let usage = (cache.currentMemoryUsage, cache.currentDiskUsage)
            cache.storeCachedResponse(response, for: request)
            let capacity = (cache.memoryCapacity, cache.diskCapacity)
            try await with { _ in
                XCTAssertNil(cache.cachedResponse(for: request))
                XCTAssertEqual(cache.memoryCapacity, capacity.0)
                XCTAssertEqual(cache.diskCapacity, capacity.1)
                XCTAssertEqual(cache.currentMemoryUsage, 0)
                cache.storeCachedResponse(response, for: request)
                XCTAssertEqual(cache.cachedResponse(for: request), response)
                XCTAssertEqual(cache.currentDiskUsage, 0)
                cache.removeCachedResponse(for: request)
                XCTAssertNil(cache.cachedResponse(for: request))
                cache.storeCachedResponse(response, for: request)
                cache.removeCachedResponses(since: .distantPast)
                cache.removeAllCachedResponses()
                XCTAssertNil(cache.cachedResponse(for: request))
                cache.memoryCapacity = 1
                cache.diskCapacity = 0
            }
            XCTAssertEqual(cache.memoryCapacity, capacity.0)
            XCTAssertEqual(cache.diskCapacity, capacity.1)
            XCTAssertEqual(cache.cachedResponse(for: request), response)
            XCTAssertGreaterThan(cache.currentMemoryUsage, usage.0)
            XCTAssertGreaterThan(cache.currentDiskUsage, usage.1)
        }

        func testATestWithStubsHasItsOwnStorageAndOneWithoutAnythingThatOfTheMachine() async throws {
            let inside = try withStubs { _ in
                HTTPCookieStorage.shared.setCookie(try cookie("own", "1"))
                return seen
            }
            XCTAssertEqual(inside, ["own=1"])
            XCTAssertEqual(seen, ["left=behind"])
            let sent = await self.sent()
            XCTAssertEqual(sent, "left=behind")
        }

        func testWhatWorkOfNoTestStoresIsDiscarded() async throws {
            let url = server.url
            let stray = try cookie("stray", "1")
            let scopes = try ["one", "other"].map {
                try CassetteScope(Stubber(cassette: $0, in: folder.url, mode: .once))
            }
            let found = await Task.detached {
                HTTPCookieStorage.shared.setCookie(stray)
                return HTTPCookieStorage.shared.cookies(for: url) ?? []
            }.value
            XCTAssertEqual(found, [])
            for scope in scopes { XCTAssertEqual(scope.run { seen }, []) }
            for scope in scopes { XCTAssertEqual(scope.end(testFailed: false).count, 0) }
            XCTAssertEqual(seen, ["left=behind"])
        }

        func testAnExistingSessionIsNotIsolatedOutsideOfAScope() async throws {
            let session = URLSession(configuration: .default)
            let stubber = try Stubber(cassette: "talk", in: folder.url, configuration: configuration)
            stubber.install(in: session)
            let sent = await self.sent(session)
            XCTAssertEqual(sent, "left=behind")
            try stubber.eject()
            XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, 1)
        }

        func testARequestThatTheCacheCouldAnswerIsRecorded() async throws {
            let url = server["cacheable"]
            for mode in [RecordingMode.once, .never] {
                let texts = try await with("talk", mode) { _ in
                    URLCache.shared.storeCachedResponse(try self.cached("cached"), for: URLRequest(url: url))
                    return [await Outcome(of: url).text, await Outcome(of: url).text]
                }
                XCTAssertEqual(texts, ["visit 1", "visit 2"])
            }
            XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, 2)
        }
    }
#endif
