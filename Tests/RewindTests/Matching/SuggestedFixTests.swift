import Foundation
import Testing

@testable import Rewind

/// The code that misses print is compiled as a user would paste it: a target contains the files that this suite compares.
struct SuggestedFixTests {
    /// The pieces of code of a fix; commands are none.
    private func pieces(of miss: Miss) -> [[String]] {
        var pieces: [[String]] = [[]]
        for line in SuggestedFix(miss).lines {
            switch line {
            case .prose: pieces.append([])
            case .code(let text): pieces[pieces.count - 1].append(text)
            }
        }
        return pieces.filter { !$0.isEmpty && !$0[0].hasPrefix("REWIND_MODE=") }
    }

    /// A Swift file with all pieces, each once for each kind of test.
    private func source(of places: [PastePlace], named name: String) throws -> String {
        var lines = [
            "// swift-format-ignore-file",
            "// What misses suggest, pasted as it is into each kind of test. `SuggestedFixTests` writes this file.",
            "",
            "import Foundation", "import RewindServer", "import RewindTesting", "import RewindXCTest", "",
        ]
        var number = 0
        for place in places {
            var seen: Set<[String]> = []
            for piece in try place.misses().flatMap(pieces) where seen.insert(piece).inserted {
                number += 1
                let starts = ["stubber.", "Stubber.current", "server.stubber"]
                let frame = starts.contains(where: piece[0].hasPrefix) ? place.statement : place.setting
                let code = frame.before + piece + frame.after
                // The names of all files are in one module.
                let suffix = "Of\(name.filter(\.isUppercase))\(number)"
                lines += code.map { $0.replacingOccurrences(of: "#", with: suffix) } + [""]
            }
        }
        return lines.joined(separator: "\n")
    }

    @Test("Each fix is in a file that is compiled", arguments: PastePlace.files.keys.sorted())
    func compiled(name: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("Documentation/Samples/Support/\(name).swift")
        let source = try source(of: PastePlace.files[name] ?? [], named: name)
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] != nil {
            try Data(source.utf8).write(to: file)
        }
        #expect(try source == String(contentsOf: file, encoding: .utf8))
    }

    @Test("Every kind of test gets a fix for every reason", arguments: PastePlace.files.values.flatMap { $0 })
    func complete(place: PastePlace) throws {
        for miss in try place.misses() {
            #expect(!SuggestedFix(miss).lines.isEmpty, "\(miss.reason)")
            #expect(miss.recoverySuggestion?.isEmpty == false)
        }
    }

    @Test("A subcommand gets the command that adds the request, and no code")
    func command() throws {
        let file = RecordCommandLine(cassette: "Cassettes/our users.har")
        let miss = try MissCase.all[3].miss(in: .command(file)).miss
        #expect(
            SuggestedFix(miss).lines == [
                .prose("To add this request to the cassette, repeat it while this runs:"),
                .code("rewind record https://api.example.com --cassette 'Cassettes/our users.har' --add"),
            ]
        )
        let other = RecordCommandLine(cassette: "a.har", upstream: "https://api.example.com/v2")
        let text = SuggestedFix(try MissCase.all[3].miss(in: .command(other)).miss).lines.last
        #expect(text == .code("rewind record https://api.example.com/v2 --cassette a.har --add"))
        // Without a recorded host, the request came to the address of `rewind serve`.
        for (urls, server) in [
            (["https://b.example/a", "https://api.example.com/b"], "https://api.example.com"),
            (["https://b.example/a", "https://c.example/b"], "https://b.example"),
        ] {
            let several = RecordCommandLine(cassette: "a.har", recorded: urls)
            #expect(several.text(for: MissCase.all[3].request).hasPrefix("rewind record \(server) --cassette"))
        }
    }

    @Test("Without a known test, the variable is printed and no command")
    func unknown() throws {
        let miss = Miss(.noCassette(path: "/c"), request: Interaction.Request(url: "https://h/"))
        let purpose = "Record the test where the network is available, then commit the file."
        #expect(
            SuggestedFix(miss).lines == [
                .prose("\(purpose) Set this variable for a run of the test:"), .code("REWIND_MODE=once"),
            ]
        )
    }

    @Test("A parameterized test is named with its case, and the command says that it runs all of them")
    func cases() {
        let test = RunnableTest(
            .swiftTesting,
            module: "AppTests",
            group: ["UserTests"],
            function: "page(number:)",
            file: "UserTests.swift",
            arguments: "2"
        )
        let call = TraitCall(attribute: "@Suite", trait: "cassettes")
        let identity = TestIdentity(.trait(call), name: "UserTests.page(number:)", test: test)
        let text = Miss(.noMatch, request: Interaction.Request(url: "https://h/"), identity: identity)
            .description
        #expect(text.contains("\n  test:     UserTests.page(number:)\n  case:     2\n"))
        #expect(text.contains("\n  To re-record the test, with all its cases:\n"))
    }

    @Test(
        "The changed matchers of a trait are those of the test",
        arguments: [
            ([RequestMatcher].default, ".default.ignoring(.queryItems(\"page\"))"),
            (.default.ignoring(.queryItems("ts")), ".default.ignoring(.queryItems(\"ts\", \"page\"))"),
            ([.method, .url], "[.method, .url.ignoring(.queryItems(\"page\"))]"),
            ([.method, .url, .headers("Accept")], nil),
        ]
    )
    func expressions(matchers: [RequestMatcher], expected: String?) {
        let requested = Interaction.Request(url: "https://h/?page=1")
        let recorded = Interaction.Request(url: "https://h/?page=2")
        let change = MatchingChange(Difference.between(requested, and: recorded, matchers: matchers))
        #expect(change.expression(for: matchers) == expected)
    }
}
