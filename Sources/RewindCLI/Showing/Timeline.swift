import Foundation
import Rewind

/// A cassette as a table with one line for each interaction.
struct Timeline {
    let cassette: ShownCassette

    func text(_ style: TextStyle) -> String {
        var table = TextTable([.right, .left, .left, .left, .right, .right, .left])
        table.add(["#", "METHOD", "STATUS", "TYPE", "SIZE", "TIME", "URL"])
        var summary = CassetteSummary()
        var emphases: [TextStyle.Emphasis?] = []
        for (number, interaction) in cassette.interactions {
            let outcome = Outcome(of: interaction)
            summary.add(interaction)
            emphases.append(outcome.emphasis)
            let type = outcome.type.count > 32 ? outcome.type.prefix(31) + "…" : outcome.type
            // The URL is last, so it does not have to be cut.
            let url = [
                interaction.request.readableURL, outcome.redirect.map { "→ \($0)" },
                outcome.operations.map { "(\($0))" },
            ].compactMap { $0 }.map(VisibleText.line).joined(separator: " ")
            table.add([
                "\(number)", VisibleText.line(interaction.request.method), outcome.status, type,
                outcome.size, outcome.time, url,
            ])
        }
        let rows = table.lines { text, row, column in
            guard row > 0 else { return style(.dim, text) }
            guard column == 2, let emphasis = emphases[row - 1] else { return text }
            return style(emphasis, text)
        }
        let title = style(.bold, cassette.path) + (cassette.foreignFormat.map { " (\($0))" } ?? "")
        let lines = emphases.isEmpty ? [] : rows + [""]
        return ([title, ""] + lines + [summary.totals]).joined(separator: "\n")
    }
}

/// The interactions to show, with the name and format of their cassette.
struct ShownCassette: Sendable {
    let path: String
    /// The name of the format; `nil` for HAR.
    let foreignFormat: String?
    let count: Int
    let positions: Range<Int>
    private let list: any InteractionList

    init(_ cassette: RecordedCassette, path: String, positions: Range<Int>) {
        self.path = VisibleText.line(path)
        foreignFormat = cassette.format == .har ? nil : cassette.format.name
        count = cassette.interactions.count
        self.positions = positions
        list = cassette.interactions
    }

    /// The interactions with their numbers, decoded one at a time, because together they may not fit into memory.
    var interactions: some Sequence<(number: Int, interaction: Interaction)> {
        positions.lazy.map { (number: $0 + 1, interaction: list[$0]) }
    }
}

/// What is counted over all interactions.
struct CassetteSummary: Sendable {
    private var hosts = HostList()
    private var bytes = 0
    private var failures = 0
    private var redirects = 0
    private var spans: [Waterfall.Span] = []

    mutating func add(_ interaction: Interaction) {
        hosts.add(interaction.request.url)
        bytes += interaction.response?.body.count ?? 0
        if interaction.failure != nil { failures += 1 }
        if interaction.response?.redirectTarget != nil { redirects += 1 }
        spans.append(Waterfall.Span(interaction))
    }

    var waterfall: Waterfall { Waterfall(spans: spans) }

    var totals: String {
        let parts = [
            Counted.text(spans.count, "interaction"), Counted.text(hosts.hosts.count, "host"),
            failures > 0 ? "\(failures) failed" : "", redirects > 0 ? Counted.text(redirects, "redirect") : "",
            ByteCount(bytes).description + " received",
            TimeText.duration(milliseconds: waterfall.busy) + " in flight",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// The start and duration of interactions, in milliseconds from the start of the first.
///
/// Interactions may be recorded days apart. So a pause is drawn at most as long as the longest interaction, and
/// interactions without a date follow each other.
struct Waterfall: Sendable {
    struct Bar: Hashable, Sendable {
        let start: Double
        let wait: Double
        let receive: Double

        var end: Double { start + wait + receive }
    }

    /// When an interaction started, and how long it took.
    struct Span: Hashable, Sendable {
        let startedAt: Date
        let timing: Interaction.Timing

        init(_ interaction: Interaction) { (startedAt, timing) = (interaction.startedAt, interaction.timing) }
    }

    let bars: [Bar]
    /// The time from the first start to the last end, with shortened pauses.
    let duration: Double
    /// The time during which at least one interaction was in flight.
    let busy: Double

    init(_ interactions: [Interaction]) { self.init(spans: interactions.map { Span($0) }) }

    init(spans interactions: [Span]) {
        let lengths = interactions.map { Self.length(of: $0.timing.wait) + Self.length(of: $0.timing.receive) }
        let longestPause = lengths.max() ?? 0
        let starts = interactions.map { $0.startedAt.timeIntervalSince1970 * 1000 }
        let order = interactions.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
        var bars = [Bar](repeating: Bar(start: 0, wait: 0, receive: 0), count: interactions.count)
        var (end, previous, busy) = (0.0, 0.0, 0.0)
        var previousStart: Double?
        for index in order {
            let (timing, isDated) = (interactions[index].timing, interactions[index].startedAt != .distantPast)
            var start = end
            if isDated, let previousStart {
                start = min(previous + starts[index] - previousStart, end + longestPause)
            }
            let (wait, receive) = (Self.length(of: timing.wait), Self.length(of: timing.receive))
            bars[index] = Bar(start: start, wait: wait, receive: receive)
            busy += max(0, bars[index].end - max(end, start))
            end = max(end, bars[index].end)
            previous = start
            previousStart = isDated ? starts[index] : nil
        }
        self.bars = bars
        duration = end
        self.busy = busy
    }

    /// A valid duration; a file may contain negative or infinite ones.
    private static func length(of milliseconds: Double) -> Double {
        milliseconds.isFinite ? min(max(0, milliseconds), 1e12) : 0
    }
}

/// What the timeline and the page show about a response or failure.
struct Outcome: Sendable {
    let status: String
    /// The media type of the response, or the failure.
    let type: String
    let emphasis: TextStyle.Emphasis?
    let size: String
    let time: String
    let redirect: String?
    /// The GraphQL operations of the request; `nil` if there are none.
    let operations: String?

    init(of interaction: Interaction) {
        let response = interaction.recordedResponse
        let isUnread = !interaction.isReplayable && response?.body.isEmpty != false
        size = isUnread ? "" : response.map { ByteCount($0.body.count).description } ?? ""
        time = TimeText.duration(milliseconds: interaction.timing.wait + interaction.timing.receive)
        redirect = response?.redirectTarget.map { Placeholder.readable(inURL: $0) }
        operations = GraphQLOperations(of: interaction.request)?.operations.titles
        switch interaction.outcome {
        case .response(let response):
            status = "\(response.status)"
            type = VisibleText.line(MediaType(response.headers["Content-Type"])?.essence ?? "")
            emphasis = Self.emphasis(of: response.status)
        case .failure(let failure, _):
            (status, type, emphasis) = ("failed", VisibleText.line(failure.line), .red)
        case .unknown:
            status = response.flatMap { $0.status == 0 ? nil : "\($0.status)" } ?? "?"
            (type, emphasis) = (response == nil ? "no response" : "never answers", .yellow)
        }
    }

    static func emphasis(of status: Int) -> TextStyle.Emphasis? {
        switch status {
        case 200..<300: .green
        case 300..<400: .cyan
        case 400..<500: .yellow
        case 500...: .red
        default: nil
        }
    }
}
