#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import RewindTestSupport
    import Testing

    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct DownloadCanaries {
        @Test("Foundation passes neither a file nor an error to the handler of a protocol's download")
        func platformGivesNoFile() async throws {
            let value = AsyncValue<(hasFile: Bool, hasError: Bool)>()
            CanaryProtocol.session().downloadTask(with: CanaryProtocol.url) { location, _, error in
                value.set((location != nil, error != nil))
            }.resume()
            let given = try #require(await value.get())
            #expect(
                !given.hasFile,
                "A download with a completion handler: if it receives a file now, DownloadFile may be deleted."
            )
            #expect(
                !given.hasError,
                "A download with a completion handler: if it fails now, DownloadFile is still needed."
            )
        }

        @Test("Foundation crashes at the end of a protocol's download with a delegate")
        func platformTrapsWithADelegate() async {
            await #expect(
                processExitsWith: .trap,
                "A download with a delegate: if it works or fails now, DownloadFile may be deleted or simplified."
            ) {
                alarm(5)
                let delegate = DownloadDelegate()
                CanaryProtocol.session(delegate).downloadTask(with: CanaryProtocol.url).resume()
                _ = await delegate.log.result()
            }
        }

        @Test("Foundation crashes at the end of a protocol's async download")
        func platformTrapsWhenAwaited() async {
            await #expect(
                processExitsWith: .trap,
                "download(from:): if it works or fails now, DownloadFile may be deleted or simplified."
            ) {
                alarm(5)
                _ = await CanaryProtocol.session().downloadOutcome(of: CanaryProtocol.url)
            }
        }

        private final class BodyOnly: CanaryProtocol {
            override func startLoading() {
                begin()
                load("piece")
            }
        }

        @Test("Foundation crashes at a chunk of a download whose delegate is also a data delegate")
        func platformTrapsWithADataDelegate() async {
            await #expect(
                processExitsWith: .trap,
                "A download with a data delegate: if it works now, CorelibsTaskClient.receive need not buffer it."
            ) {
                alarm(5)
                let delegate = DataAndDownloadDelegate()
                BodyOnly.session(delegate).downloadTask(with: CanaryProtocol.url).resume()
                _ = await delegate.log.result()
            }
        }

        @Test(
            "A download with a handler and an async download receive their file",
            arguments: ["binary/70000", "chunks/3", "empty"]
        )
        func fileIsGiven(path: String) async throws {
            let outcomes = try await Canary.recordAndReplay { server in
                [
                    await URLSession.shared.downloadHandlerOutcome(of: server[path]),
                    await URLSession.shared.downloadOutcome(of: server[path]),
                ]
            }
            let sizes = ["binary/70000": 70000, "chunks/3": 45, "empty": 0]
            #expect(outcomes.map { $0?.body.count } == [sizes[path], sizes[path]])
            #expect(outcomes.allSatisfy { $0?.failure == nil && $0?.status != 0 })
        }

        @Test(
            "A delegate receives the file of a download, even if it is also a data delegate",
            arguments: ["binary/70000", "chunks/3"]
        )
        func fileIsGivenToADelegate(path: String) async throws {
            let results = try await Canary.recordAndReplay { server in
                let plain = DownloadDelegate()
                let both = DataAndDownloadDelegate()
                for delegate: any URLSessionDelegate in [plain, both] {
                    URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                        .downloadTask(with: server[path]).resume()
                }
                return [await plain.log.result(), await both.log.result()]
            }
            #expect(results.map { $0?.status } == [200, 200])
            #expect(results.map { $0?.failure } == [nil, nil])
            #expect(results.map { $0?.pieces } == [[], []])
            let size = path == "chunks/3" ? 45 : 70000
            #expect(results.map { $0?.file?.count } == [size, size])
        }

        @Test("A download that fails has an error and no file", arguments: ["cut", "refused"])
        func failure(kind: String) async throws {
            let failures = try await Canary.recordAndReplay { server in
                let url = kind == "cut" ? server["cut"] : URL(string: "http://127.0.0.1:1/") ?? server["cut"]
                let delegate = DownloadDelegate()
                URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
                    .downloadTask(with: url).resume()
                let result = await delegate.log.result()
                #expect(result?.file == nil)
                return [
                    result?.failure, await URLSession.shared.downloadHandlerOutcome(of: url)?.failure,
                    await URLSession.shared.downloadOutcome(of: url).failure,
                ]
            }
            #expect(failures.allSatisfy { $0 != nil })
        }

        @Test("A download without a recorded answer fails with a miss")
        func missing() async throws {
            let failures = try await Canary.replay([]) {
                [
                    await URLSession.shared.downloadHandlerOutcome(of: CanaryProtocol.url)?.failure,
                    await URLSession.shared.downloadOutcome(of: CanaryProtocol.url).failure,
                ]
            }
            #expect(failures.allSatisfy { $0?.hasPrefix("Rewind ") == true })
        }
    }
#endif
