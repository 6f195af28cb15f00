import Foundation
import Rewind
import RewindTestSupport
import Testing

struct DriftPropertyTests {
    /// The structure of an API's response. Each document has other values.
    private indirect enum Schema {
        case text, number, flag
        case list(Schema)
        case map(Schema)
        case object([(String, Schema)])

        init(depth: Int, using generator: inout SplitMix64) {
            switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &generator) {
            case 0: self = .text
            case 1: self = .number
            case 2: self = .flag
            case 3: self = .list(Schema(depth: depth - 1, using: &generator))
            case 4: self = .map(Schema(depth: depth - 1, using: &generator))
            default:
                let count = Int.random(in: 1...4, using: &generator)
                self = .object((0..<count).map { ("m\($0)", Schema(depth: depth - 1, using: &generator)) })
            }
        }

        /// A random document with this schema.
        func document(using generator: inout SplitMix64) -> String {
            func count() -> Int { Int.random(in: 0...3, using: &generator) }
            switch self {
            case .text: return "\"\(generator.text(5, of: "abcé 0"))\""
            case .number:
                return
                    "\(Int.random(in: -5...500, using: &generator))\(Bool.random(using: &generator) ? ".5" : "")"
            case .flag: return Bool.random(using: &generator) ? "true" : "false"
            case .list(let element):
                return "["
                    + (0..<count()).map { _ in element.document(using: &generator) }.joined(separator: ",")
                    + "]"
            case .map(let value):
                let names = Set((0..<count()).map { _ in Int.random(in: 0...99, using: &generator) })
                return "{"
                    + names.map { "\"\($0)\":" + value.document(using: &generator) }.joined(separator: ",")
                    + "}"
            case .object(let members):
                return "{"
                    + members.shuffled(using: &generator).map {
                        "\"\($0.0)\":" + $0.1.document(using: &generator)
                    }.joined(separator: ",") + "}"
            }
        }
    }

    @Test("Two documents of one schema have no drift")
    func sameSchema() {
        var generator = SplitMix64(seed: 2026)
        for _ in 0..<2_000 {
            let schema = Schema(depth: 4, using: &generator)
            let documents = (0..<2).map { _ in schema.document(using: &generator) }
            #expect(drift(documents[0], documents[1]) == [], "\(documents)")
        }
    }

    @Test("An added, removed or retyped member is reported with its path")
    func plantedChange() {
        var generator = SplitMix64(seed: 7)
        for _ in 0..<500 {
            let inner = Schema.object([("x", Schema(depth: 3, using: &generator)), ("y", .number)])
            let (one, two) = (inner.document(using: &generator), inner.document(using: &generator))
            let more = two.dropLast() + ", \"z\": []}"
            #expect(drift("{\"in\": [\(one)]}", "{\"in\": [\(more)]}") == ["$.in[].z: added (array)"])
            #expect(drift("{\"in\": [\(more)]}", "{\"in\": [\(one)]}") == ["$.in[].z: removed (array)"])
            #expect(drift(one, "[\(two)]") == ["$: object → array"])
        }
    }

    @Test("No document drifts from itself")
    func itself() {
        var generator = SplitMix64(seed: 99)
        for _ in 0..<3_000 {
            let text = String(
                decoding: generator.bytes(upTo: 40, from: #"{}[]",:01ntruefalse.e"#),
                as: UTF8.self
            )
            #expect(drift(text, text) == [])
        }
    }
}
