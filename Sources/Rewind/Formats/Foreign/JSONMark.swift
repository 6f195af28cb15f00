import Foundation

/// The members of a JSON document's root that tell which program wrote it.
enum JSONMark: String, CaseIterable {
    case log
    case interactions
    case recordings = "http_interactions"
    case entries

    /// The first telling member, which is all of a large archive that has to be looked at.
    init?(_ data: Data) {
        let names = Set(Self.allCases.map(\.rawValue))
        guard let name = JSONGlance.firstMember(of: names, in: data) else { return nil }
        self.init(rawValue: name)
    }
}
