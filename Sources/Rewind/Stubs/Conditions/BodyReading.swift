import Foundation

/// A body, read the way a condition asks for, whatever its media type says.
struct BodyReading: Sendable {
    /// The ways to read a body.
    enum Kind: Sendable {
        case bytes, json, form
    }

    let content: BodyContent
    /// What is compared, as matchers compare it.
    let projection: Projection

    init(_ data: Data, as kind: Kind) {
        content =
            switch kind {
            case _ where data.isEmpty: .none
            case .bytes: .bytes(data, reason: nil)
            case .json: .json(data, else: "is not valid JSON")
            case .form: FormFields(data).map(BodyContent.form) ?? .bytes(data, reason: "is no form")
            }
        projection = content.projection()
    }
}
