import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import Rewind

/// The log does not look through the cassette: a line costs the same with any number of recordings.
@Suite(.serialized)
struct DecisionLogGrowthTests {
    enum Traffic: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case replayed, identical, repeated, recorded, compared, passedThrough

        var testDescription: String { rawValue }

        var mode: RecordingMode {
            switch self {
            case .recorded: .newEpisodes
            case .compared: .verify
            default: .never
            }
        }

        func recorded(_ number: Int) -> String {
            switch self {
            case .identical, .repeated: "https://h/same"
            default: "https://h/items/\(number)?page=\(number % 7)"
            }
        }

        func requested(_ number: Int) -> Interaction.Request {
            switch self {
            case .identical, .repeated: Interaction.Request(url: "https://h/same")
            case .recorded: Interaction.Request(url: "https://h/other/\(number)")
            case .passedThrough: Interaction.Request(url: "https://local.example/\(number)")
            default: Interaction.Request(url: recorded(number))
            }
        }
    }

    @Test(
        "A line takes the same time in a cassette of 250 interactions and of 4,000",
        arguments: Traffic.allCases
    )
    func growth(_ traffic: Traffic) throws {
        let (small, large) = (250, 4000)
        let studios = try [small, large].map { count in
            let studio = try Studio()
            try studio.put((0..<count).map { .page(traffic.recorded($0)) })
            return (count, studio)
        }
        let lines = Locked<[String]>([])
        var best = [small: Double.infinity, large: Double.infinity]
        for _ in 0..<5 where best[large, default: 0] > best[small, default: 0] * 3 || best[small] == .infinity {
            for (count, studio) in studios {
                var configuration = Stubber.Configuration()
                configuration.passthroughHosts = ["local.example"]
                configuration.repeats = traffic == .repeated ? .last : .never
                let stubber = try studio.stubber(
                    traffic.mode,
                    configuration: configuration,
                    variables: ["REWIND_LOG": "1"]
                )
                // The first request prepares the cassette for comparisons.
                Note.withReader({ _ in }) { _ = stubber.answer(to: traffic.requested(0)) }
                let time = Note.withReader({ line in lines.withLock { $0.append(line) } }) {
                    Growth.time {
                        for number in 1..<200 { _ = stubber.answer(to: traffic.requested(number)) }
                    }
                }
                best[count] = min(best[count, default: .infinity], time)
            }
        }
        let ratio = best[large, default: 0] / best[small, default: 0]
        #expect(ratio < 3, "16 times the interactions take \(ratio) times as long")
        #expect(lines.withLock { $0.count } >= 398)
        #expect(lines.withLock { $0.allSatisfy { $0.hasPrefix("Rewind: GET https://") } })
    }
}
