#if os(Linux) && compiler(>=6.3)
    import Foundation
    import Rewind
    import RewindTestSupport
    import Testing

    /// Each file is read, recorded anew and asked for in a process of its own, whose memory is looked at.
    @Suite(.serialized)
    struct HostileBombTests {
        @Test(
            "Each is refused with what is wrong with it, or read, and takes no more memory than a quarter of a gigabyte",
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
                // The address sanitizer keeps what was freed.
                let limit = Sanitizer.current == .address ? 4096 : 256
                #expect(growth >> 20 < limit, "it grew by \(growth >> 20) MiB")
                if let expected = sample.refusal {
                    #expect(refusal?.contains(expected) ?? false, "\(refusal ?? "it was read")")
                    #expect(refusal?.contains("It was left untouched.") ?? false)
                    #expect(refusal?.utf8.count ?? 0 < 1000, "an error is read by people")
                } else {
                    #expect(refusal == nil)
                }
            }
        }

        @Test("Without limits of its own, a cassette may grow by what a file may have, and no more")
        func usualLimits() async throws {
            let folder = try TemporaryDirectory()
            await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
                let file = URL(fileURLWithPath: path).appendingPathComponent("talk")
                let bodies = Array(repeating: Bomb.gzip(255 << 20), count: 200)
                try CompressedCassettes.cassette(.ruby, bodies).write(to: file)
                let error = try #require(throws: CassetteError.self) { try Cassette(contentsOf: file) }
                #expect(error.description.contains("more than 1073741824 bytes together"))
                #expect(error.description.contains("(entry 5 "))
                // What is kept, and the one body that is being made.
                #expect(try PeakMemory.bytes < 5 << 29)
            }
        }

        /// Reads a file, and records, saves and asks for all that it holds.
        /// - Returns: Why it cannot be read, where it cannot.
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
            let location = CassetteLocation(folder.appendingPathComponent("anew.har"))
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

    /// The most memory that this process has had, as Linux tells it (proc(5)).
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

        /// Has the system begin anew with what there is now.
        static func forget() throws {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
            try file.write(contentsOf: Data("5".utf8))
            try file.close()
        }
    }
#endif
