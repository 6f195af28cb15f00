import Foundation
import Rewind
import Testing

struct RecordingModeTests {
    @Test(
        "A mode is known by its name, whatever the case and the separators",
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
        #expect(try RecordingMode.inForce(requested: .once, environment: variables) == mode)
        #expect(try RecordingMode.inForce(requested: .live, environment: variables) == mode)
    }

    @Test("`REWIND_MODE` overrides every mode asked for", arguments: RecordingMode.allCases)
    func override(_ requested: RecordingMode) throws {
        for mode in RecordingMode.allCases {
            let variables = Environment(["REWIND_MODE": mode.rawValue, "CI": "1"])
            #expect(try RecordingMode.inForce(requested: requested, environment: variables) == mode)
        }
    }

    @Test("Without `REWIND_MODE`, the mode asked for is in force", arguments: RecordingMode.allCases)
    func requested(_ mode: RecordingMode) throws {
        for variables in [[:], ["REWIND_MODE": ""], ["CI": "true"], ["rewind_mode": "all"]] {
            #expect(try RecordingMode.inForce(requested: mode, environment: Environment(variables)) == mode)
        }
    }

    @Test(
        "A word that is no mode is an error that lists the modes",
        arguments: ["always", "record", "on", "onces", "once,all", "1", "-", "once2"]
    )
    func unknownWords(_ word: String) throws {
        let error = try #require(throws: Stubber.ConfigurationError.self) {
            try RecordingMode.inForce(requested: .once, environment: Environment(["REWIND_MODE": word]))
        }
        #expect(error == .unknownMode(word, variable: "REWIND_MODE"))
        #expect(
            error.description == """
                Invalid value '\(word)' for REWIND_MODE.
                  Use one of the modes: never, once, newEpisodes, all, verify, live.
                """
        )
    }

    @Test("A stubber does not start in a mode that is none")
    func stubber() throws {
        let studio = try Studio()
        #expect(throws: Stubber.ConfigurationError.unknownMode("often", variable: "REWIND_MODE")) {
            try studio.stubber(.once, variables: ["REWIND_MODE": "often"])
        }
        #expect(try studio.stubber(.once, variables: ["REWIND_MODE": "live"]).mode == .live)
    }

    @Test(
        "What a mode records depends on whether there is a cassette",
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

    @Test("Without a word the mode is once, or none under continuous integration")
    func defaultMode() {
        #expect(RecordingMode.default == (Environment.process.isContinuousIntegration ? .never : .once))
    }
}
