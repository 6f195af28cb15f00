import Foundation
import Rewind
import Testing

struct RecordingModeTests {
    @Test(
        "A mode is parsed from its name, ignoring case and separators",
        arguments: [
            ("none", .never), ("once", .once), ("newEpisodes", .newEpisodes), ("all", .all), ("live", .live),
            ("verify", .verify),
            ("ONCE", .once), ("new_episodes", .newEpisodes), ("new-episodes", .newEpisodes),
            ("NEW EPISODES", .newEpisodes), ("newepisodes", .newEpisodes),
        ] as [(String, RecordingMode)]
    )
    func names(_ name: String, _ mode: RecordingMode) throws {
        #expect(RecordingMode(name: name) == mode)
        let variables = Environment(["REWIND_MODE": name])
        #expect(try RecordingMode.inEffect(requested: .once, environment: variables) == mode)
        #expect(try RecordingMode.inEffect(requested: .live, environment: variables) == mode)
    }

    @Test("`REWIND_MODE` overrides every requested mode", arguments: RecordingMode.allCases)
    func override(_ requested: RecordingMode) throws {
        for mode in RecordingMode.allCases {
            let variables = Environment(["REWIND_MODE": mode.rawValue, "CI": "1"])
            #expect(try RecordingMode.inEffect(requested: requested, environment: variables) == mode)
        }
    }

    @Test("Without `REWIND_MODE`, the requested mode is in effect", arguments: RecordingMode.allCases)
    func requested(_ mode: RecordingMode) throws {
        for variables in [[:], ["REWIND_MODE": ""], ["CI": "true"], ["rewind_mode": "all"]] {
            #expect(try RecordingMode.inEffect(requested: mode, environment: Environment(variables)) == mode)
        }
    }

    @Test(
        "An unknown mode is an error that lists the modes",
        arguments: ["always", "record", "on", "onces", "once,all", "1", "-", "once2"]
    )
    func unknownWords(_ word: String) throws {
        let error = try #require(throws: Stubber.ConfigurationError.self) {
            try RecordingMode.inEffect(requested: .once, environment: Environment(["REWIND_MODE": word]))
        }
        #expect(error == .unknownMode(word, variable: "REWIND_MODE"))
        #expect(
            error.description == """
                Invalid value '\(word)' for REWIND_MODE.
                  Use one of the modes: never, once, newEpisodes, all, verify, live.
                """
        )
    }

    @Test("A stubber with an unknown `REWIND_MODE` throws")
    func stubber() throws {
        let studio = try Studio()
        #expect(throws: Stubber.ConfigurationError.unknownMode("often", variable: "REWIND_MODE")) {
            try studio.stubber(.once, variables: ["REWIND_MODE": "often"])
        }
        #expect(try studio.stubber(.once, variables: ["REWIND_MODE": "live"]).mode == .live)
    }

    @Test(
        "Whether a mode records depends on the existence of the cassette",
        arguments: [
            (.never, false, false), (.once, true, false), (.newEpisodes, true, true), (.all, true, true),
            (.verify, false, false), (.live, false, false),
        ] as [(RecordingMode, Bool, Bool)]
    )
    func records(_ mode: RecordingMode, _ without: Bool, _ with: Bool) throws {
        #expect(mode.records(cassetteExists: false) == without)
        #expect(mode.records(cassetteExists: true) == with)
        let studio = try Studio()
        #expect(try studio.stubber(mode).isRecording == without)
        try studio.put([])
        #expect(try studio.stubber(mode).isRecording == with)
    }

    @Test("The default mode is `once`, or `never` on CI")
    func defaultMode() {
        #expect(RecordingMode.default == (Environment.process.isContinuousIntegration ? .never : .once))
    }
}
