import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What one user gets from login to logout.
private struct Visit: Sendable {
    let user: String
    let password: String
    let encoding: TokenEncoding
    let place: TokenPlace
    let kind: TokenKind
    let server: URL

    struct Answer: Equatable, Sendable, CustomStringConvertible {
        let status: Int
        /// The body, in which each token is replaced by its position among the tokens of the visit.
        let body: String
        let failure: String?

        var description: String { "\(status) \(failure ?? body)" }
    }

    struct Result: Sendable {
        let answers: [Answer]
        let tokens: [String]
    }

    private struct Grant: Decodable {
        let access_token: String
        let refresh_token: String
    }

    /// Logs in, uses the token twice, refreshes it, uses the new one, logs out, and uses it once more.
    func run(in session: URLSession) async throws -> Result {
        var answers: [Answer] = []
        var tokens: [String] = []
        func note(_ outcome: Outcome) -> Grant? {
            let grant = try? JSONDecoder().decode(Grant.self, from: outcome.body)
            if let grant { tokens += [grant.access_token, grant.refresh_token] }
            var body = outcome.text.replacingOccurrences(of: #"\""#, with: "\"")
            for (index, token) in tokens.enumerated() {
                body = body.replacingOccurrences(of: token, with: "token \(index)")
            }
            answers.append(Answer(status: outcome.status, body: body, failure: outcome.failure))
            return grant
        }
        func send(_ action: String, _ token: String) async throws -> Grant? {
            let text = try encoding.encoded(token, of: user)
            return note(
                await Outcome(of: try place.request(action, text, in: encoding, to: server), in: session)
            )
        }
        var login = URLRequest(url: server.appendingPathComponent("login/\(kind.rawValue)"))
        login.httpMethod = "POST"
        login.setValue("application/json", forHTTPHeaderField: "Content-Type")
        login.httpBody = try JSONEncoder().encode(["user": user, "password": password])
        guard let first = note(await Outcome(of: login, in: session)) else {
            return Result(answers: answers, tokens: tokens)
        }
        _ = try await send("me", first.access_token)
        _ = try await send("me", first.access_token)
        guard let second = try await send("refresh", first.refresh_token) else {
            return Result(answers: answers, tokens: tokens)
        }
        _ = try await send("me", second.access_token)
        _ = try await send("logout", second.access_token)
        _ = try await send("me", second.access_token)
        return Result(answers: answers, tokens: tokens)
    }
}

/// Records users that log in, refresh and log out in parallel, and replays them with other passwords.
@Suite(.serialized)
struct LoginMatrixTests {
    private static let users = Nightly.isOn ? ["ann", "bob", "cyd", "dan"] : ["ann", "bob"]

    private static func visits(
        _ encoding: TokenEncoding,
        _ place: TokenPlace,
        _ kind: TokenKind,
        at server: URL,
        passwords: String
    ) -> [Visit] {
        users.map { user in
            let password = "\(passwords)-of-\(user)"
            return Visit(
                user: user,
                password: password,
                encoding: encoding,
                place: place,
                kind: kind,
                server: server
            )
        }
    }

    private static var session: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        return URLSession(configuration: configuration)
    }

    private static func inParallel(_ visits: [Visit]) async throws -> [Visit.Result] {
        let session = session
        return try await withThrowingTaskGroup(of: (Int, Visit.Result).self) { group in
            for (index, visit) in visits.enumerated() {
                group.addTask { (index, try await visit.run(in: session)) }
            }
            var results: [Int: Visit.Result] = [:]
            for try await (index, result) in group { results[index] = result }
            return visits.indices.compactMap { results[$0] }
        }
    }

    private static func oneByOne(_ visits: [Visit]) async throws -> [Visit.Result] {
        var results: [Visit.Result] = []
        for visit in visits.reversed() { results.insert(try await visit.run(in: session), at: 0) }
        return results
    }

    /// The first answer of each user that is not as it was recorded.
    private static func differences(_ replayed: [Visit.Result], _ live: [Visit.Result]) -> [String] {
        zip(users, zip(replayed, live)).compactMap { user, results in
            let answers = (results.0.answers, results.1.answers)
            let step = zip(answers.0, answers.1).map { $0 == $1 }.firstIndex(of: false)
            guard let step = step ?? (answers.0.count == answers.1.count ? nil : answers.0.count - 1) else {
                return nil
            }
            return "\(user), answer \(step): \(answers.0[step]), not \(answers.1[step])"
        }
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let encoding: TokenEncoding
        let place: TokenPlace
        let kind: TokenKind

        var testDescription: String { "\(kind) token, \(encoding), \(place)" }
    }

    private static let cells: [Cell] = TokenEncoding.allCases.flatMap { encoding in
        encoding.places.flatMap { place -> [Cell] in
            let isCommon = [.raw, .alphanumerics, .base64, .userAndToken].contains(encoding)
            let kinds = [encoding.isForAnyText ? TokenKind.rich : .plain] + (isCommon ? [.jwt] : [])
            return kinds.map { Cell(encoding: encoding, place: place, kind: $0) }
        }
    }

    @Test("Users in parallel get their own answers on replay", arguments: cells)
    func matrix(_ cell: Cell) async throws {
        let folder = try TemporaryDirectory()
        let server = try TokenServer()
        defer { server.stop() }
        let live = try await withCassette("login", in: folder.url, mode: .once) { _ in
            try await Self.inParallel(
                Self.visits(cell.encoding, cell.place, cell.kind, at: server.url, passwords: "Sommer2024")
            )
        }
        let hello = Self.users.map { #"{"hello":"\#($0)","use":1}"# }
        #expect(live.map { $0.answers.count > 1 ? $0.answers[1].body : "" } == hello)
        #expect(live.allSatisfy { $0.answers.map(\.status) == [200, 200, 200, 200, 200, 200, 401] })
        server.stop()
        let text = DecodedTexts(try String(contentsOf: folder["login.har"], encoding: .utf8), layers: 2)
        let secrets = ["Sommer2024"] + live.flatMap(\.tokens).map { String($0.suffix(40).prefix(32)) }
        #expect(secrets.count == 1 + 4 * Self.users.count)
        #expect(secrets.filter { text.contains($0) } == [])
        let others = Self.visits(cell.encoding, cell.place, cell.kind, at: server.url, passwords: "Winter2031")
        let parallel = try await withCassette("login", in: folder.url, mode: .never) { _ in
            try await Self.inParallel(others)
        }
        #expect(Self.differences(parallel, live) == [], "in parallel")
        let reversed = try await withCassette("login", in: folder.url, mode: .never) { _ in
            try await Self.oneByOne(others)
        }
        #expect(Self.differences(reversed, live) == [], "one user after the other, in another order")
    }
}
