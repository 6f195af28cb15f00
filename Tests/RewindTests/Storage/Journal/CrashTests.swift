#if os(Linux) && compiler(>=6.3)
    import Foundation
    import Rewind
    import RewindTestSupport
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// What is on the disk after a process that records was killed, at each step and at any moment.
    @Suite(.serialized)
    struct CrashTests {
        @Test(
            "Killed at any call that writes, it leaves the old cassette or the new one, and loses nothing finished"
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
                            Told.say("finished")
                        }
                        try stubber.eject()
                        Told.say("saved")
                    }
                    Told.say("survived")
                    kill(getpid(), SIGKILL)
                }
                let lines = Told.lines(result?.standardOutputContent)
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
                // The next recording leaves nothing of what had been begun.
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

        /// Twenty times, or as often as `REWIND_KILLS` says.
        private static let kills = ProcessInfo.processInfo.environment["REWIND_KILLS"].flatMap(Int.init) ?? 20

        @Test(
            "Killed at any moment of recording from a server, it leaves a whole cassette, and loses nothing finished"
        )
        func anyMoment() async throws {
            let server = try ConversationServer()
            defer { server.stop() }
            var generator = SplitMix64(seed: 20_26)
            var finishedCount = 0
            // A sanitizer makes all that happens before the kill take ten times as long.
            let latest: UInt32 = Sanitizer.current == nil ? 60_000 : 600_000
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
                let lines = Told.lines(result?.standardOutputContent)
                finishedCount += lines.count
                let story = Comment(rawValue: "kill \(kill) after \(delay) µs; \(lines.suffix(12))")
                _ = try studio.stubber(.never)
                #expect(studio.journals == [], story)
                let interactions = try studio.cassette.interactions
                let rounds = Set(interactions.map(Round.number))
                #expect(interactions.count == Round.size, story)
                #expect(rounds.count == 1, story)
                let round = try #require(rounds.first)
                if round == 0 { #expect(try studio.contents == untouched, story) }
                let recovered = ((try? studio.recovered.interactions) ?? []).map(\.request.url)
                for line in lines {
                    let words = line.split(separator: " ").map(String.init)
                    let number = try #require(Int(words[1]))
                    if words[0] == "saved" {
                        #expect(round >= number, story)
                    } else if number > round {
                        let ending = "/echo/\(words[2])?round=\(number)"
                        #expect(recovered.contains { $0.hasSuffix(ending) }, story)
                    }
                }
            }
            #expect(finishedCount > Self.kills)
        }
    }

    /// What a child process tells its parent, a line at a time, whatever becomes of it after that.
    enum Told {
        static func say(_ line: String) {
            FileHandle.standardOutput.write(Data("told: \(line)\n".utf8))
        }

        static func lines(_ output: [UInt8]?) -> [String] {
            String(decoding: output ?? [], as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix("told: ") }.map { String($0.dropFirst(6)) }
        }
    }

    /// Recordings of one cassette, one after the other, each of so many requests.
    enum Round {
        static let size = 6

        /// The number of the recording an interaction is of; 0 for one that was there before.
        static func number(of interaction: Interaction) -> Int {
            let parts = interaction.request.url.split(separator: "=")
            return parts.count > 1 ? Int(parts[1].prefix { $0.isNumber }) ?? 0 : 0
        }

        /// Records in mode `all` until the process is killed, and tells of each answer that the app was given.
        static func recordUntilKilled(in folder: URL, from server: URL, after delay: UInt32) async throws {
            for number in 1...100_000 {
                try await withCassette("talk", in: folder, mode: .all) { _ in
                    if number == 1 {
                        Thread.detachNewThread {
                            usleep(delay)
                            kill(getpid(), SIGKILL)
                        }
                    }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for request in 0..<size {
                            group.addTask {
                                let address = "/echo/\(request)?round=\(number)"
                                let url = try #require(URL(string: address, relativeTo: server)?.absoluteURL)
                                let outcome = await Outcome(of: url)
                                if outcome.status == 200 { Told.say("finished \(number) \(request)") }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                Told.say("saved \(number)")
            }
        }
    }
#endif
