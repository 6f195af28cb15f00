/// A pattern for places in a JSON value: a subset of JSONPath (RFC 9535). It supports members `.name` and `['name']`, elements
/// `[0]`, all children `.*` and `[*]`, and the same at any depth after two dots, as in `..name`.
///
/// ```swift
/// let path = try JSONPath("$.users[*].token")
/// path.matches([.name("users"), .index(3), .name("token")])  // true
/// ```
package struct JSONPath: Hashable, Sendable, CustomStringConvertible {
    enum Selector: Hashable, Sendable {
        case step(JSONStep)
        case every
    }

    struct Segment: Hashable, Sendable {
        var selector: Selector
        var isAtAnyDepth: Bool
    }

    let segments: [Segment]

    init(segments: [Segment]) { self.segments = segments }

    package init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        self = try parser.path()
    }

    package func matches(_ place: [JSONStep]) -> Bool {
        place.reduce(JSONPathProgress(self)) { $0.advanced(by: $1) }.isComplete
    }

    package var description: String { "$" + segments.map(\.description).joined() }
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

    func selects(_ step: JSONStep) -> Bool {
        switch selector {
        case .every: true
        case .step(let selected): selected == step
        }
    }
}

/// How much of a path has been matched on the way to a place.
struct JSONPathProgress {
    private let path: JSONPath
    /// The numbers of segments that may be matched. There can be several, because `..` matches any number of steps.
    private var doneCounts: Set<Int> = [0]

    init(_ path: JSONPath) { self.path = path }

    /// Whether the path selects the value reached so far.
    var isComplete: Bool { doneCounts.contains(path.segments.count) }

    /// Whether the path can select nothing further inside the value reached so far.
    var isOver: Bool { doneCounts.allSatisfy { $0 == path.segments.count } }

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

package enum JSONStep: Sendable, Hashable, CustomStringConvertible {
    case name(String)
    case index(Int)

    /// Compares names scalar by scalar, as in ``JSONObject``.
    package static func == (left: JSONStep, right: JSONStep) -> Bool {
        switch (left, right) {
        case (.name(let left), .name(let right)): left.utf8.elementsEqual(right.utf8)
        case (.index(let left), .index(let right)): left == right
        default: false
        }
    }

    /// Canonically equivalent names may share a hash.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .name(let name): hasher.combine(name)
        case .index(let index): hasher.combine(index)
        }
    }

    package var description: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .name(let name): JSONPathName.isBare(name) ? "." + name : "[" + JSONPathName.quoted(name) + "]"
        }
    }
}

/// The place of a value inside another one, shown as a path such as `$.users[3]['full name']`.
package struct JSONPlace: Hashable, Sendable, CustomStringConvertible {
    package var steps: [JSONStep]

    package init(_ steps: [JSONStep] = []) { self.steps = steps }

    /// The place as a path that ``JSONPath`` can parse.
    package var description: String { "$" + steps.map(\.description).joined() }
}

extension JSON {
    /// Removes the members and elements that any of the paths selects; the outermost value stays.
    package func removing(_ paths: [JSONPath]) -> JSON {
        edited(paths.map(JSONPathProgress.init)) { _ in nil }
    }

    /// Replaces the members and elements that any of the paths selects; the outermost value stays.
    package func replacing(_ paths: [JSONPath], with replacement: JSON) -> JSON {
        edited(paths.map(JSONPathProgress.init)) { _ in replacement }
    }

    /// Changes the values that a path selects, also the outermost one. A member or an element whose change is `nil` is
    /// removed.
    func changing(_ path: JSONPath, by change: (JSON) -> JSON?) -> JSON {
        path.segments.isEmpty ? change(self) ?? self : edited([JSONPathProgress(path)], by: change)
    }

    private func edited(_ progress: [JSONPathProgress], by change: (JSON) -> JSON?) -> JSON {
        let progress = progress.filter { !$0.isOver }
        guard !progress.isEmpty else { return self }
        switch self {
        case .array(let elements):
            return .array(
                elements.enumerated().compactMap { index, element in
                    element.edited(progress, after: .index(index), by: change)
                }
            )
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.compactMap { member in
                        member.value.edited(progress, after: .name(member.name), by: change).map {
                            value in
                            JSONObject.Member(name: member.name, value: value)
                        }
                    }
                )
            )
        default: return self
        }
    }

    private func edited(
        _ progress: [JSONPathProgress],
        after step: JSONStep,
        by change: (JSON) -> JSON?
    ) -> JSON? {
        let advanced = progress.map { $0.advanced(by: step) }
        guard !advanced.contains(where: \.isComplete) else { return change(self) }
        return edited(advanced, by: change)
    }
}
