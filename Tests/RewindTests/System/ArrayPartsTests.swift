import Foundation
import Rewind
import Testing

struct ArrayPartsTests {
    @Test("Every element is in exactly one part, and parts are in order", arguments: [0, 1, 3, 4, 5, 8, 1000])
    func inOrder(_ count: Int) {
        let parts = Array(0..<count).mapParts(of: 4) { Array($0) }
        #expect(parts.flatMap(\.self) == Array(0..<count))
        #expect(parts.allSatisfy { (1...4).contains($0.count) })
        #expect(parts.count == (count + 3) / 4)
    }

    @Test("A part has the indices of the whole array")
    func positions() {
        #expect(["a", "b", "c"].mapParts(of: 2) { $0.indices } == [0..<2, 2..<3])
    }

    @Test("Secrets of many interactions are numbered in order and replaced everywhere")
    func secretsInOrder() throws {
        let interactions = (0..<1000).map { number in
            let isNamed = number % 100 == 50
            let headers: HeaderList = isNamed ? ["Authorization": "Bearer s3cr3t-\(number)-t0ken"] : [:]
            let body = "before s3cr3t-\(number / 100 * 100 + 50)-t0ken after"
            return Interaction(
                request: Interaction.Request(url: "https://h/\(number)", headers: headers),
                outcome: .response(Interaction.Response(body: Interaction.Body(body)))
            )
        }
        let redacted = Redactor(.default).redact(interactions)
        let oneByOne = Redactor(.default)
        for interaction in interactions { _ = oneByOne.redact(interaction) }
        #expect(redacted == interactions.map(oneByOne.redact))
        for interaction in redacted {
            let body = String(decoding: interaction.response?.body.data ?? Data("s3cr3t".utf8), as: UTF8.self)
            #expect(!body.contains("s3cr3t"))
        }
    }
}
