import Foundation
import Rewind
import Testing

/// A kind of test, and the code around a fix that is pasted into it.
struct PastePlace: Sendable, CustomTestStringConvertible {
    /// Code before and after what is pasted, in which `#` is replaced by a number.
    typealias Frame = (before: [String], after: [String])

    let testDescription: String
    let kind: TestIdentity.Kind
    /// Whether it has a cassette, or only stubs.
    let hasCassette: Bool
    /// Around a statement.
    let statement: Frame
    /// Around a change of the configuration.
    let setting: Frame

    /// The places of each file that `SuggestedFixTests` writes.
    static let files = [
        "PastedTestCaseFixtures": [testCase],
        "PastedTraitFixtures": [suite, named, inFolder, stubs],
        "PastedScopeFixtures": [withCassette, withStubs, server, stubber],
    ]

    private static let testCase = PastePlace(
        testDescription: "CassetteTestCase",
        kind: .testCase,
        hasCassette: true,
        statement: (
            ["final class PastedFixture#: CassetteTestCase {", "    func pasted() {"], ["    }", "}"]
        ),
        setting: (["final class PastedFixture#: CassetteTestCase {"], ["}"])
    )

    private static let suite = PastePlace(
        testDescription: "@Suite(.cassettes)",
        kind: .trait(TraitCall(attribute: "@Suite", trait: "cassettes")),
        hasCassette: true,
        statement: (["private func pasted#() {"], ["}"]),
        setting: ([], ["struct PastedFixture# {}"])
    )

    private static let named: PastePlace = {
        var call = TraitCall(attribute: "@Test", trait: "cassette")
        (call.name, call.mode) = ("a name", "newEpisodes")
        return PastePlace(
            testDescription: "@Test(.cassette(\"a name\", mode: .newEpisodes))",
            kind: .trait(call),
            hasCassette: true,
            statement: (["private func pasted#() {"], ["}"]),
            // It does not run: several of them would record one cassette.
            setting: (
                ["@Suite(.enabled(if: false, \"only compiled\")) struct PastedFixture# {"],
                ["func pasted() {}", "}"]
            )
        )
    }()

    private static let inFolder: PastePlace = {
        var call = TraitCall(attribute: "@Suite", trait: "cassettes")
        call.hasDirectory = true
        return PastePlace(
            testDescription: "@Suite(.cassettes(in: folder))",
            kind: .trait(call),
            hasCassette: true,
            statement: (["private func pasted#() {"], ["}"]),
            setting: (
                ["@Suite(.cassettes(in: FileManager.default.temporaryDirectory,"],
                ["))", "struct PastedFixture# {}"]
            )
        )
    }()

    private static let stubs = PastePlace(
        testDescription: "@Test(.stubs)",
        kind: .trait(TraitCall(attribute: "@Test", trait: "stubs")),
        hasCassette: false,
        statement: (["private func pasted#() {"], ["}"]),
        // It does not run: several of them would record one cassette.
        setting: (
            ["@Suite(.enabled(if: false, \"only compiled\")) struct PastedFixture# {"],
            ["func pasted() {}", "}"]
        )
    )

    private static let withCassette = PastePlace(
        testDescription: "withCassette",
        kind: .function("withCassette"),
        hasCassette: true,
        statement: (["private func pasted#() {"], ["}"]),
        setting: (
            ["private func pasted#() throws {"],
            ["try withCassette(\"timeline\", configuration: configuration) { _ in }", "}"]
        )
    )

    private static let withStubs = PastePlace(
        testDescription: "withStubs",
        kind: .function("withStubs"),
        hasCassette: false,
        statement: (["private func pasted#() {"], ["}"]),
        setting: (
            ["private func pasted#() throws {"], ["try withStubs(configuration: configuration) { _ in }", "}"]
        )
    )

    private static let server = PastePlace(
        testDescription: "CassetteServer",
        kind: .server,
        hasCassette: true,
        statement: (["private func pasted#(_ server: CassetteServer) {"], ["}"]),
        setting: (
            ["private func pasted#(_ api: URL) throws {"],
            [
                "let server = try CassetteServer(upstream: api, cassette: \"a\", configuration: configuration)",
                "try server.stop()", "}",
            ]
        )
    )

    private static let stubber = PastePlace(
        testDescription: "Stubber",
        kind: .stubber,
        hasCassette: true,
        statement: (["private func pasted#(_ stubber: Stubber) {"], ["}"]),
        setting: (
            ["private func pasted#() throws {"],
            ["try Stubber(cassette: \"a\", configuration: configuration).eject()", "}"]
        )
    )
}

extension PastePlace {
    /// All misses of this kind of test: those of the golden files, and those that only a platform or a disk causes.
    func misses() throws -> [Miss] {
        let request = Interaction.Request(method: "POST", url: "https://api.example.com:8443/users?page=1")
        let identity = TestIdentity(kind, name: "UserTests.testSecondPage", test: MissCase.test)
        let others = [
            Miss.Reason.unsupported("no queue"), .unsupportedTask(kind: "web socket task"),
            .unreadableBody("no file"),
        ].map { Miss($0, request: request, identity: identity) }
        var held = Miss(.alreadyPlayed(count: 1), request: request, identity: identity)
        held.isHeldBack = true
        let readOnly = Miss(.readOnly(path: "/c"), request: request, identity: identity)
        return try MissCase.all.filter { $0.hasPlace == hasCassette }.map { try $0.miss(in: kind).miss }
            + others
            + (hasCassette ? [held, readOnly] : [])
    }
}
