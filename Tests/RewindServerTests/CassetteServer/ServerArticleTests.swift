import Foundation
import Rewind
import Testing

@testable import RewindServer

/// Checks that the articles state the server's limits and values of `X-Rewind-Miss`.
struct ServerArticleTests {
    private func article(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Rewind/Rewind.docc")
        let text = try String(contentsOf: folder.appendingPathComponent("\(name).md"), encoding: .utf8)
        // Lines are wrapped anywhere.
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("The articles state the limits of the server") func limits() throws {
        let (server, reliability) = (try article("Server"), try article("Reliability"))
        let limits = HTTPLimits()
        #expect(server.contains("up to \(limits.contentBytes >> 20) MiB"))
        #expect(server.contains("a thread with a stack of \(ConnectionLane.stackSize >> 10) KiB"))
        #expect(limits.busyConnections == 1024 && reliability.contains("At most 1,024 connections"))
        #expect(limits.openConnections == 16_384 && reliability.contains("At most 16,384 connections"))
        #expect(reliability.contains("less than \(limits.contentRate) bytes per second"))
        #expect(reliability.contains("after \(limits.contentGrace.components.seconds) seconds, and requests"))
        #expect(reliability.contains("at most \(limits.contentMemory >> 20) MiB of memory"))
        #expect(reliability.contains("at most \(limits.contentDisk >> 30) GiB together"))
        let seconds = [limits.headTimeout, limits.receiveTimeout, limits.sendTimeout].map(\.components.seconds)
        #expect(reliability.contains("takes more than \(seconds[0]) seconds"))
        #expect(reliability.contains("a pause of \(seconds[1]) seconds within a request"))
        #expect(reliability.contains("reads nothing for \(seconds[2]) seconds"))
    }

    @Test("The article lists every value of X-Rewind-Miss") func misses() throws {
        let words = try #require(
            try article("Server").components(separatedBy: "`X-Rewind-Miss` contains one of these words:").last?
                .components(separatedBy: ". ").first
        )
        let next = Interaction.Request(url: "https://h/")
        let reasons: [Miss.Reason] = [
            .noCassette(path: ""), .recordingForbidden(path: "", variable: ""), .readOnly(path: ""), .noMatch,
            .alreadyPlayed(count: 1), .outOfOrder(next: next), .paused, .testEnded, .noStub,
            .stubExhausted("", calls: 1),
            .invalidStub(""), .networkForbidden,
        ]
        for reason in reasons { #expect(words.contains("`\(reason.headerValue)`"), "\(reason)") }
        #expect(words.components(separatedBy: "`").count / 2 == reasons.count)
    }
}
