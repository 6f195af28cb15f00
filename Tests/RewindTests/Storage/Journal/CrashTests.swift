#if os(Linux) && compiler(>=6.3)
    import Foundation
    import Rewind
    import RewindTestSupport
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Checks the files after a recording process was killed, at each system call and at random moments.
    @Suite(.serialized)
    struct CrashTests {
        @Test(
            "A kill at any write leaves the old or the new cassette, and loses no finished interaction"
        )
        func eachStep() async throws {
            let long = String(repeating: "long ", count: 9000)
            var endings: Set<String> = []
            for call in 1...40 {
                let studio = try Studio()
                let first = try studio.stubber(.once)
                try first.record("https://h/a", "old \(long)")
                try first.eject()
                let untouched = try studio.contents
                let result = await #expect(
                    processExitsWith: .signal(SIGKILL),
                    observing: [\.standardOutputContent]
                ) { [path = studio.folder.url.path as String, call = call as Int] in
                    let long = String(repeating: "long ", count: 9000)
                    let location = CassetteLocation(
                        URL(fileURLWithPath: path).appendingPathComponent("talk.har")
                    )
                    try FileOperations.$current.withValue(.killing(beforeCall: call)) {
                        let stubber = try Stubber(at: location, mode: .all, environment: Environment([:]))
                        for text in ["new \(long)", "new"] {
                            try stubber.record("https://h/a", text)
                            Progress.say("finished")
                        }
                        try stubber.eject()
                        Progress.say("saved")
                    }
                    Progress.say("survived")
                    kill(getpid(), SIGKILL)
                }
                let lines = Progress.lines(result?.standardOutputContent)
                _ = try studio.stubber(.never)
                let texts = try studio.texts
                let isNew = texts == ["new \(long)", "new"]
                if !isNew {
                    #expect(try studio.contents == untouched, "killed at call \(call)")
                    #expect(texts == ["old \(long)"])
                    #expect(!lines.contains("saved"))
                    let finished = lines.count { $0 == "finished" }
                    let recovered = (try? studio.recovered.interactions) ?? []
                    #expect(recovered.count >= finished, "killed at call \(call)")
                    #expect(recovered.map(\.text) == Array(["new \(long)", "new"].prefix(recovered.count)))
                }
                endings.insert(isNew ? "new" : "old")
                #expect(studio.journals == [])
                // The next recording removes all partial files.
                let next = try studio.stubber(.all)
                try next.record("https://h/a", "next")
                try next.eject()
                #expect(studio.folder.files == ["talk.har"], "killed at call \(call)")
                if lines.contains("survived") {
                    #expect(call > 10)
                    break
                }
                #expect(call < 40)
            }
            #expect(endings == ["old", "new"])
        }

        @Test("A kill after another cassette was inserted loses the recording of neither")
        func inserted() async throws {
            let folder = try TemporaryDirectory()
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.url.path as String] in
                let file = URL(fileURLWithPath: path).appendingPathComponent("first.har")
                let stubber = try Stubber(at: CassetteLocation(file), environment: Environment([:]))
                try stubber.record("https://h/a", "1")
                try stubber.insert("second")
                try stubber.record("https://h/b", "2")
                // An interaction that ended within 50 ms before the kill may be lost.
                usleep(200_000)
                kill(getpid(), SIGKILL)
            }
            for (name, text) in [("first", "1"), ("second", "2")] {
                let location = CassetteLocation(folder["\(name).har"])
                _ = try Stubber(at: location, mode: .never, environment: Environment([:]))
                let recovered = try Cassette(contentsOf: folder["\(name).recovered.har"])
                #expect(recovered.interactions.map(\.text) == [text])
            }
            #expect(folder.files == ["first.recovered.har", "second.recovered.har"])
        }

        /// The number of kills; 20 by default.
        private static let kills = ProcessInfo.processInfo.environment["REWIND_KILLS"].flatMap(Int.init) ?? 20

        @Test(
            "A kill at any moment leaves a complete cassette, and loses no interaction that ended 50 ms before"
        )
        func anyMoment() async throws {
            let server = try ConversationServer()
            defer { server.stop() }
            var generator = SplitMix64(seed: 20_26)
            var finishedCount = 0
            // A sanitizer makes everything before the kill ten times slower.
            let latest: UInt32 = Sanitizer.current == nil ? 150_000 : 1_000_000
            for kill in 0..<Self.kills {
                let studio = try Studio()
                try studio.put((0..<Round.size).map { .page("https://h/\($0)", "old") })
                let untouched = try studio.contents
                let delay = UInt32.random(in: 0..<latest, using: &generator)
                let result = await #expect(
                    processExitsWith: .signal(SIGKILL),
                    observing: [\.standardOutputContent]
                ) {
                    [
                        path = studio.folder.url.path as String, address = server.url.absoluteString as String,
                        delay = delay as UInt32
                    ] in
                    let address = try #require(URL(string: address))
                    try await Round.recordUntilKilled(
                        in: URL(fileURLWithPath: path),
                        from: address,
                        after: delay
                    )
                }
                let lines = Progress.lines(result?.standardOutputContent)
                let end = try #require(lines.last { $0.hasPrefix("kill ") }?.split(separator: " ").last)
                let moment = try #require(UInt64(end))
                finishedCount += lines.count
                let context = Comment(rawValue: "kill \(kill) after \(delay) µs; \(lines.suffix(12))")
                _ = try studio.stubber(.never)
                #expect(studio.journals == [], context)
                let interactions = try studio.cassette.interactions
                let rounds = Set(interactions.map(Round.number))
                #expect(interactions.count == Round.size, context)
                #expect(rounds.count == 1, context)
                let round = try #require(rounds.first)
                if round == 0 { #expect(try studio.contents == untouched, context) }
                let recovered = ((try? studio.recovered.interactions) ?? []).map(\.request.url)
                for line in lines where !line.hasPrefix("kill ") {
                    let words = line.split(separator: " ").map(String.init)
                    // An interaction that ended within 50 ms before the kill may be lost.
                    if words.count > 3, let time = UInt64(words[3]), time + 50_000_000 > moment { continue }
                    let number = try #require(Int(words[1]))
                    if words[0] == "saved" {
                        #expect(round >= number, context)
                    } else if number > round {
                        let ending = "/echo/\(words[2])?round=\(number)"
                        #expect(recovered.contains { $0.hasSuffix(ending) }, context)
                    }
                }
            }
            #expect(finishedCount > Self.kills)
        }
    }

    /// The lines that a child process writes for its parent before it is killed.
    enum Progress {
        static func say(_ line: String) {
            FileHandle.standardOutput.write(Data("progress: \(line)\n".utf8))
        }

        static func lines(_ output: [UInt8]?) -> [String] {
            String(decoding: output ?? [], as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix("progress: ") }.map { String($0.dropFirst(10)) }
        }
    }

    /// Consecutive recordings of one cassette, each with the same number of requests.
    enum Round {
        static let size = 6

        /// The number of the recording that an interaction belongs to; 0 for the original one.
        static func number(of interaction: Interaction) -> Int {
            let parts = interaction.request.url.split(separator: "=")
            return parts.count > 1 ? Int(parts[1].prefix { $0.isNumber }) ?? 0 : 0
        }

        /// Records in mode `all` until the process is killed, and writes a line for each answer that the app got.
        static func recordUntilKilled(in folder: URL, from server: URL, after delay: UInt32) async throws {
            for number in 1...100_000 {
                try await withCassette("talk", in: folder, mode: .all) { _ in
                    if number == 1 {
                        Thread.detachNewThread {
                            usleep(delay)
                            Progress.say("kill \(DispatchTime.now().uptimeNanoseconds)")
                            kill(getpid(), SIGKILL)
                        }
                    }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for request in 0..<size {
                            group.addTask {
                                let address = "/echo/\(request)?round=\(number)"
                                let url = try #require(URL(string: address, relativeTo: server)?.absoluteURL)
                                let outcome = await Outcome(of: url)
                                let time = DispatchTime.now().uptimeNanoseconds
                                if outcome.status == 200 {
                                    Progress.say("finished \(number) \(request) \(time)")
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                Progress.say("saved \(number)")
            }
        }
    }
#endif
