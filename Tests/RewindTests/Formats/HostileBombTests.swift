#if os(Linux) && compiler(>=6.3)
    import Foundation
    import Rewind
    import RewindTestSupport
    import Testing

    /// Each file is read, recorded again and replayed in a separate process, whose memory is measured.
    @Suite(.serialized)
    struct HostileBombTests {
        @Test(
            "Each decompression bomb is rejected or read with little memory",
            arguments: HostileBombs.all.indices
        )
        func bounded(_ index: Int) async throws {
            let folder = try TemporaryDirectory()
            await #expect(processExitsWith: .success, "\(HostileBombs.all[index].what)") {
                [index = index as Int, path = folder.url.path as String] in
                let sample = HostileBombs.all[index]
                let folder = URL(fileURLWithPath: path)
                try sample.make().write(to: folder.appendingPathComponent("talk"))
                try PeakMemory.forget()
                let before = try PeakMemory.bytes
                let refusal = try HostileBombTests.handle(sample, in: folder)
                let growth = try PeakMemory.bytes - before
                // The address sanitizer does not reuse freed memory.
                let limit = Sanitizer.current == .address ? 4096 : sample.growth
                #expect(growth >> 20 < limit, "it grew by \(growth >> 20) MiB")
                if let expected = sample.refusal {
                    #expect(refusal?.contains(expected) ?? false, "\(refusal ?? "it was read")")
                    #expect(refusal?.contains("The file was not changed.") ?? false)
                    #expect(refusal?.utf8.count ?? 0 < 1000, "an error is read by people")
                } else {
                    #expect(refusal == nil)
                }
            }
        }

        /// The sizes that the nightly run reaches.
        @Test("A cassette without custom limits has the default limits, which lower ones replace")
        func defaultLimits() throws {
            let folder = try TemporaryDirectory()
            #expect(CassetteLimits.default.maximumInflatedSize == 1_073_741_824)
            #expect(CassetteLimits.default.maximumInflatedBody == 268_435_456)
            try CompressedCassettes.cassette(.ruby, [Bomb.gzip(1 << 20)]).write(to: folder["talk"])
            #expect(try Cassette(contentsOf: folder["talk"]).interactions[0].response?.body.count == 1 << 20)
            let limits = CassetteLimits(maximumInflatedSize: (1 << 20) - 1)
            #expect(throws: CassetteError.self) { try Cassette(contentsOf: folder["talk"], limits: limits) }
        }

        @Test(
            "A cassette without custom limits can expand to the default limit",
            .enabled(if: Nightly.isOn, "a gigabyte")
        )
        func usualLimits() async throws {
            let folder = try TemporaryDirectory()
            await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
                let file = URL(fileURLWithPath: path).appendingPathComponent("talk")
                let bodies = Array(repeating: Bomb.gzip(255 << 20), count: 200)
                try CompressedCassettes.cassette(.ruby, bodies).write(to: file)
                let error = try #require(throws: CassetteError.self) { try Cassette(contentsOf: file) }
                #expect(error.description.contains("more than 1073741824 bytes in total"))
                #expect(error.description.contains("(entry 5 "))
                // The decompressed bodies, and the body that is being decompressed.
                #expect(try PeakMemory.bytes < 5 << 29)
            }
        }

        /// Reads a file, then records and replays all its interactions.
        /// - Returns: The error of reading the file; `nil` if there is none.
        private static func handle(_ sample: HostileBombs.Sample, in folder: URL) throws -> String? {
            let cassette: Cassette
            do {
                cassette = try Cassette(
                    contentsOf: folder.appendingPathComponent("talk"),
                    limits: sample.limits
                )
            } catch let error as CassetteError {
                return error.description
            }
            let location = CassetteLocation(folder.appendingPathComponent("recording.har"))
            let recorder = try Stubber(at: location, mode: .all, environment: Environment([:]))
            for interaction in cassette.interactions {
                try recorder.begin(interaction.request).finish(interaction.outcome, timing: interaction.timing)
            }
            try recorder.eject()
            let player = try Stubber(at: location, mode: .never, environment: Environment([:]))
            for interaction in cassette.interactions where interaction.isReplayable {
                guard case .play = player.answer(to: interaction.request) else {
                    Issue.record("it is not found again")
                    continue
                }
            }
            return nil
        }
    }

    /// The peak memory of this process (proc(5)).
    private enum PeakMemory {
        static var bytes: Int {
            get throws {
                let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(
                    separator: "\n"
                )
                let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace) ?? []
                return try #require(words.dropFirst().first.flatMap { Int($0) }) << 10
            }
        }

        /// Resets the peak to the current memory.
        static func forget() throws {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
            try file.write(contentsOf: Data("5".utf8))
            try file.close()
        }
    }
#endif
