import Rewind
import Testing

/// Two bodies with their media types, and whether they mean the same.
struct BodyPair: Sendable, CustomTestStringConvertible {
    let left: Request
    let right: Request
    let isEqual: Bool

    init(_ type: String?, _ left: String?, _ right: String?, _ isEqual: Bool) {
        self.init(.post(left, type), .post(right, type), isEqual)
    }

    init(_ left: Request, _ right: Request, _ isEqual: Bool) {
        (self.left, self.right, self.isEqual) = (left, right, isEqual)
    }

    var testDescription: String { "\(Self.text(left)) and \(Self.text(right))" }

    private static func text(_ request: Request) -> String {
        let type = request.headers["Content-Type"].map { $0 + " " } ?? ""
        guard let data = request.body?.data else { return type + "(none)" }
        return type + String(decoding: data, as: UTF8.self).debugDescription
    }
}
