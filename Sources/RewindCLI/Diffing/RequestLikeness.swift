import Rewind

/// What two requests have in common that belong together, the most first.
enum RequestLikeness: CaseIterable, Sendable {
    /// All that is compared.
    case all
    /// The method and the URL.
    case url
    /// The method and the URL without its query.
    case place
    /// All but the server.
    case onOtherServer
    /// All of the URL but its query.
    case withOtherMethod
    /// The method and the path.
    case path
    /// The method, the server and the path but for numbers and identifiers in it.
    case shape

    /// What requests that are alike share; `nil` where this one can be like none.
    func key(of request: Request, _ compared: ComparedParts) -> [Projection]? {
        func values(_ matchers: Matcher...) -> [Projection] { matchers.map { $0.projection(request) } }
        let operation = Projection.text(Self.operation(of: request))
        switch self {
        case .all: return compared.matchers.map { $0.projection(request) }
        case .url: return [Matcher.method, compared.url].map { $0.projection(request) } + [operation]
        case .place: return values(.method, .scheme, .host, .port, .path) + [operation]
        case .onOtherServer:
            return compared.matchers.ignoring(.component(.scheme), .component(.host), .component(.port))
                .map { $0.projection(request) }
        case .withOtherMethod: return values(.scheme, .host, .port, .path) + [operation]
        case .path: return values(.method, .path) + [operation]
        case .shape:
            let path = URLParts(request.url).path
            let shape = Self.shape(of: path)
            return shape == path ? nil : values(.method, .host) + [.text(shape), operation]
        }
    }

    /// The names of the GraphQL operations that a request asks for; empty where it asks for none.
    private static func operation(of request: Request) -> String {
        guard let data = request.body?.data, let json = try? JSON(parsing: data),
            let operations = GraphQLOperation.all(in: json)
        else { return "" }
        return operations.map { $0.name ?? "" }.joined(separator: "\n") + "\n"
    }

    /// A path with a star for each segment that has a digit.
    private static func shape(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? "*" : $0 }
            .joined(separator: "/")
    }
}
