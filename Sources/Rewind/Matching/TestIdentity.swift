/// Who a stubber serves: what created it, under which name, and the test that runs.
///
/// The diagnosis of a miss needs it, because a command must select the test, and a fix must fit into the code that created
/// the stubber.
package struct TestIdentity: Hashable, Sendable {
    /// What created the stubber. This decides how a setting is changed.
    package enum Kind: Hashable, Sendable {
        /// A `CassetteTestCase`.
        case testCase
        /// A trait of Swift Testing.
        case trait(TraitCall)
        /// `withCassette` or `withStubs`; the text is the name of the function.
        case function(String)
        /// A `CassetteServer`.
        case server
        /// A subcommand of `rewind`; `nil` if requests cannot be added to its cassette.
        case command(RecordCommandLine?)
        /// The code that uses the stubber.
        case stubber
        /// A process that `Stubber.activateFromEnvironment` serves.
        case process
    }

    package var kind: Kind
    /// The name in messages.
    package var name: String?
    /// The test, if it is known.
    package var test: RunnableTest?

    package init(_ kind: Kind, name: String? = nil, test: RunnableTest? = nil) {
        self.kind = kind
        self.name = name
        self.test = test
    }

    /// The identity of a stubber for which only a name was given.
    package init(name: String?) {
        self.init(.stubber, name: name, test: name.flatMap { RunnableTest(name: $0) })
    }

    /// The test that the recording of a scope or a server names, if it is known.
    var recorder: RecordingTest? {
        switch kind {
        case .function, .server: test?.recorder
        case .testCase, .trait, .command, .stubber, .process: nil
        }
    }

    /// The same within a test: a server or a scope belongs to the test that creates it.
    func within(_ test: RunnableTest?) -> TestIdentity {
        var identity = self
        identity.test = self.test ?? test
        return identity
    }
}

/// A trait as it is written in the code of a test.
package struct TraitCall: Hashable, Sendable {
    /// `@Suite` or `@Test`.
    package var attribute: String
    /// `cassette`, `cassettes` or `stubs`.
    package var trait: String
    /// The name of the cassette, if the trait names one.
    package var name: String?
    /// The mode, if the trait has another one than the default.
    package var mode: String?
    /// Whether the trait names a folder, whose code is not known.
    package var hasDirectory = false

    package init(attribute: String, trait: String) {
        self.attribute = attribute
        self.trait = trait
    }

    /// The attribute with one more argument: `matching` or `configuration`, of one or more lines.
    func text(_ label: String, _ lines: [String]) -> [String] {
        guard let first = lines.first else { return [] }
        let mode = mode.map { "mode: .\($0)" }
        let before = [name.map(\.debugDescription), label == "configuration" ? mode : nil].compactMap { $0 }
        let after = [label == "matching" ? mode : nil].compactMap { $0 }
        var text = ["\(attribute)(.\(trait)(" + (before + ["\(label): \(first)"]).joined(separator: ", ")]
        text += lines.dropFirst()
        text[text.count - 1] += after.map { ", \($0)" }.joined() + "))"
        return text
    }
}

/// The command line of `rewind record` that adds requests to a cassette.
package struct RecordCommandLine: Hashable, Sendable {
    package var cassette: String
    /// The upstream that the user named.
    package var upstream: String?
    /// The servers that the cassette contains. A request that names none of them is sent to the first one.
    package var recorded: [String]

    package init(cassette: String, upstream: String? = nil, recorded urls: [String] = []) {
        self.cassette = cassette
        self.upstream = upstream
        recorded = urls.reduce(into: []) { origins, url in
            let origin = Self.origin(of: url)
            if !origins.contains(origin) { origins.append(origin) }
        }
    }

    /// The command for a request.
    func text(for request: Interaction.Request) -> String {
        let origin = Self.origin(of: request.url)
        let server = upstream ?? (recorded.contains(origin) ? origin : recorded.first ?? origin)
        return "rewind record \(Shell.word(server)) --cassette \(Shell.word(cassette)) --add"
    }

    private static func origin(of url: String) -> String {
        guard let scheme = url.range(of: "://") else { return url }
        return String(url[..<(url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex)])
    }
}
