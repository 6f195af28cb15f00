import Foundation
import Rewind
import RewindTestSupport

/// What is recorded and replayed: the same in every run.
enum Workload {
    /// An address nobody needs to answer.
    static func url(_ number: Int) -> String { "http://benchmark.invalid/items/\(number)?page=\(number % 7)" }

    /// A cassette of answers, each with a body of about so many bytes of JSON.
    static func cassette(count: Int, bodyBytes: Int) -> Cassette {
        var generator = SplitMix64(seed: 2024)
        return Cassette(
            interactions: (0..<count).map { number in
                Interaction(
                    request: Request(url: url(number), headers: requestHeaders),
                    outcome: .response(
                        Response(
                            headers: responseHeaders,
                            body: Body(json(number, bytes: bodyBytes, &generator))
                        )
                    ),
                    startedAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)),
                    timing: Interaction.Timing(wait: 12.5, receive: 1.25)
                )
            }
        )
    }

    /// Bytes of every value.
    static func bytes(_ count: Int) -> Data {
        var generator = SplitMix64(seed: 2025)
        var data = Data(capacity: count)
        while data.count < count {
            withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }

    /// A query with a credential.
    static let secretQuery = "?page=2&access_token=4f9a7c21e0b84d5f9d3c"

    /// An answer with a credential and about two thousand bytes that are none.
    static let secretAnswer: Data = {
        var generator = SplitMix64(seed: 2026)
        let items = json(7, bytes: 2000, &generator).dropFirst()
        return Data((#"{"refresh_token": "c2b1a09f8e7d6c5b4a39", "#.utf8)) + Data(items.utf8)
    }()

    private static let requestHeaders: HeaderList = [
        "Accept": "application/json", "Accept-Language": "de-DE,de;q=0.9", "User-Agent": "Benchmark/1.0",
    ]

    /// The header fields of every answer.
    static let responseHeaders: HeaderList = [
        "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-cache", "Server": "benchmark",
        "Vary": "Accept, Accept-Language",
    ]

    private static func json(_ number: Int, bytes: Int, _ generator: inout SplitMix64) -> String {
        var items: [String] = []
        var length = 0
        while length < bytes {
            let item = #"{"id": \#(generator.next() % 1_000_000), "name": "Grüße", "seen": true}"#
            items.append(item)
            length += item.utf8.count + 2
        }
        return #"{"number": \#(number), "items": [\#(items.joined(separator: ", "))]}"#
    }
}
