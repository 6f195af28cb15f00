import Foundation

/// A request of which several conditions are asked; what takes time is found out once, and only when it is asked for.
package final class ConditionSubject {
    /// The request.
    package let request: Request
    private(set) lazy var url = URLParts(request.url)
    private(set) lazy var queryItems = FormFields(spelled: url.query ?? "").fields
    private(set) lazy var operations = GraphQLOperations(of: request)?.operations ?? []
    private var bodies: [BodyReading.Kind: BodyReading] = [:]

    /// Creates a subject for one request.
    package init(_ request: Request) {
        self.request = request
    }

    /// What can be looked up of the request.
    var key: ConditionKey {
        ConditionKey(host: url.host, path: ConditionKey.path(url.path))
    }

    func body(as kind: BodyReading.Kind) -> BodyReading {
        if let reading = bodies[kind] { return reading }
        let reading = BodyReading(request.body?.data ?? Data(), as: kind)
        bodies[kind] = reading
        return reading
    }
}
