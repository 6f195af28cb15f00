import Foundation
import RewindTestSupport
import Testing

@testable import RewindTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct ParallelTraitTests {
    /// The same request in all tests, so that its content cannot identify the test.
    private static let request = URLRequest(url: NumberedCassettes.url)

    @Test(.cassette(in: NumberedCassettes.directory, mode: .never), arguments: 0..<200) func parallel(
        number: Int
    ) async {
        for turn in 0..<50 {
            let outcome = await Outcome(of: Self.request, in: .shared)
            guard outcome.text == "parallel-number=\(number) \(turn)" else {
                Issue.record("\(number), \(turn) got \(outcome.failure ?? outcome.text)")
                return
            }
            if turn % 10 == 0 { await Task.yield() }
        }
    }

    @Test("Tests without a cassette use the network in parallel", arguments: 0..<20) func live(number: Int)
        async throws
    {
        let server = try ConversationServer()
        defer { server.stop() }
        let session = URLSession(configuration: .ephemeral)
        for turn in 1...5 {
            let answers = [await Outcome(of: server["visit"]), await Outcome(of: server["visit"], in: session)]
            #expect(answers.map { $0.failure ?? $0.text } == ["visit \(2 * turn - 1)", "visit \(2 * turn)"])
        }
    }
}
