import Foundation

/// Two runs of one conversation side by side.
package struct DemoReport {
    private let live: [DemoAnswer]
    private let replayed: [DemoAnswer]

    /// Compares a live run with its replay.
    package init(live: [DemoAnswer], replayed: [DemoAnswer]) {
        self.live = live
        self.replayed = replayed
    }

    /// The request, status, bytes and both times of each answer.
    package var table: String {
        let head = ["request", "status", "bytes", "live", "replay"]
        let rows = zip(live, replayed).map { live, replayed in
            [
                live.title, live.status.map(String.init) ?? "failed", "\(live.body.count)",
                Self.time(live.milliseconds), Self.time(replayed.milliseconds),
            ]
        }
        var table = TextTable([.left] + head.dropFirst().map { _ in .right })
        for cells in [head] + rows { table.add(cells) }
        return table.lines().joined(separator: "\n")
    }

    /// The first thing in which the runs differ; `nil` where they are the same.
    package var firstDifference: String? {
        guard live.count == replayed.count else {
            return "\(live.count) answers live, \(replayed.count) replayed"
        }
        for (live, replayed) in zip(live, replayed) {
            if live.failure != replayed.failure {
                return
                    "\(live.title): \(live.failure ?? "no failure") live, \(replayed.failure ?? "none") replayed"
            }
            if live.status != replayed.status {
                return "\(live.title): status \(live.status ?? 0) live, \(replayed.status ?? 0) replayed"
            }
            if live.headers != replayed.headers {
                let all = Set(live.headers).symmetricDifference(replayed.headers).sorted()
                return "\(live.title): the headers \(all.joined(separator: "; "))"
            }
            if live.body != replayed.body {
                let place = zip(live.body, replayed.body).prefix { $0 == $1 }.count
                return "\(live.title): the bodies, from byte \(place) on"
            }
        }
        return nil
    }

    private static func time(_ milliseconds: Double) -> String {
        String(format: "%.2f ms", milliseconds)
    }
}
