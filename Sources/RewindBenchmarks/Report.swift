import Foundation

/// What was found of one benchmark.
struct Figure: Sendable {
    let name: String
    let bar: Bar
    let measurement: Measurement

    init(_ benchmark: Benchmark, _ measurement: Measurement) {
        name = benchmark.name
        bar = benchmark.bar
        self.measurement = measurement
    }

    /// Whether the ratio in the middle holds the bar.
    var holds: Bool { bar.holds(measurement.median) }
}

extension Figure: CustomStringConvertible {
    var description: String {
        let columns = [
            (name, 22), (measurement.median.twoPlaces, 8),
            ("(\(measurement.minimum.twoPlaces)–\(measurement.maximum.twoPlaces))", 18), ("bar \(bar)", 14),
        ]
        return columns.map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined()
            + (holds ? "ok" : "WORSE")
    }
}

extension Figure: Encodable {
    private enum Key: String, CodingKey {
        case name, ratio, minimum, maximum, bar, holds
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(measurement.median, forKey: .ratio)
        try container.encode(measurement.minimum, forKey: .minimum)
        try container.encode(measurement.maximum, forKey: .maximum)
        try container.encode("\(bar)", forKey: .bar)
        try container.encode(holds, forKey: .holds)
    }
}

/// The figures of a run, each printed as it comes.
struct Report {
    private var figures: [Figure] = []

    mutating func add(_ figure: Figure) {
        figures.append(figure)
        FileHandle.standardOutput.write(Data("\(figure)\n".utf8))
    }

    /// Whether every bar is held.
    var holds: Bool { figures.allSatisfy(\.holds) }

    /// The figures for a machine.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(figures)
        }
    }

    /// Prints how many bars are held, and how the figures came about.
    func printSummary() {
        let held = figures.count { $0.holds }
        print(
            "\(held) of \(figures.count) held; medians of \(Measurement.rounds), margin \(Int(Bar.margin * 100)) %"
        )
    }
}

extension Double {
    /// The number as it is printed.
    var twoPlaces: String { String(format: "%.2f", self) }
}
