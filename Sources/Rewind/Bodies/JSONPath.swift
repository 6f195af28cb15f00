/// A pattern for places in a JSON value, a part of RFC 9535.
///
/// It knows members `.name` and `['name']`, elements `[0]`, all children `.*` and `[*]`, and with two dots,
/// as in `..name`, the same at any depth.
///
/// ```swift
/// let path = try JSONPath("$.users[*].token")
/// path.matches([.name("users"), .index(3), .name("token")])  // true
/// ```
package struct JSONPath: Hashable, Sendable {
    /// What a segment selects among the children of a value.
    enum Selector: Hashable, Sendable {
        case step(JSONStep)
        case every
    }

    /// A selector, either for the children of a value or for all that is inside it.
    struct Segment: Hashable, Sendable {
        var selector: Selector
        var isAtAnyDepth: Bool
    }

    /// The segments after the dollar sign.
    let segments: [Segment]

    /// Creates a path from segments.
    init(segments: [Segment]) {
        self.segments = segments
    }

    /// Reads a path.
    package init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        self = try parser.path()
    }

    /// Whether the path selects the value that the steps lead to.
    package func matches(_ place: [JSONStep]) -> Bool {
        place.reduce(JSONPathProgress(self)) { $0.advanced(by: $1) }.isComplete
    }
}

extension JSONPath: CustomStringConvertible {
    /// The path in its shortest spelling.
    package var description: String {
        "$" + segments.map(\.description).joined()
    }
}

extension JSONPath.Segment: CustomStringConvertible {
    var description: String {
        let child =
            switch selector {
            case .every: ".*"
            case .step(let step): step.description
            }
        guard isAtAnyDepth else { return child }
        return (child.utf8.first == UInt8(ascii: ".") ? "." : "..") + child
    }

    /// Whether the segment selects the child that a step leads to.
    func selects(_ step: JSONStep) -> Bool {
        switch selector {
        case .every: true
        case .step(let selected): selected == step
        }
    }
}

/// How far a path has come on the way to a place.
struct JSONPathProgress {
    private let path: JSONPath
    /// The numbers of segments that may be done, all at once, as `..` leaves the choice open.
    private var doneCounts: Set<Int> = [0]

    init(_ path: JSONPath) {
        self.path = path
    }

    /// Whether the path selects the value reached so far.
    var isComplete: Bool { doneCounts.contains(path.segments.count) }

    /// Whether the path can select nothing further inside the value reached so far.
    var isOver: Bool { doneCounts.allSatisfy { $0 == path.segments.count } }

    /// The progress after one more step.
    func advanced(by step: JSONStep) -> JSONPathProgress {
        var next = self
        next.doneCounts = []
        for count in doneCounts where count < path.segments.count {
            let segment = path.segments[count]
            if segment.selects(step) { next.doneCounts.insert(count + 1) }
            if segment.isAtAnyDepth { next.doneCounts.insert(count) }
        }
        return next
    }
}
