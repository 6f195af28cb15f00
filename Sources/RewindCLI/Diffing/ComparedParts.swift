import Rewind

struct ComparedParts: Sendable {
    private(set) var matchers: [RequestMatcher] = .default
    private(set) var url = RequestMatcher.url
    private(set) var hasOrder = true
    /// Whether it counts when an interaction was recorded, and how long it took.
    let hasTimes: Bool
    private var headers: [Glob] = []
    private var fields: [Glob] = []
    private var parts: [Glob] = []
    private var paths: [JSONPath] = []

    static let option = "--ignore"
    static let words =
        "header:NAME, query:NAME, form:NAME, part:NAME, a JSON path such as $..updated_at, or order"

    init(ignoring ignored: [String] = [], hasTimes: Bool = false) throws {
        self.hasTimes = hasTimes
        for word in ignored { try leaveOut(word) }
    }

    private mutating func leaveOut(_ word: String) throws {
        if word.hasPrefix("$") {
            do {
                paths.append(try JSONPath(word))
            } catch {
                throw UsageError.badValue(word, of: Self.option, wanted: "a JSON path: \(error)")
            }
            return ignore(.jsonPaths(word))
        }
        if word == "order" { return hasOrder = false }
        let unknown = UsageError.badValue(word, of: Self.option, wanted: "one of " + Self.words)
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw unknown }
        let name = parts[1].trimmingSpaces()
        switch parts[0] {
        case "header": headers.append(Glob(name, ignoringCase: true))
        case "query": ignore(.queryItems(name))
        case "form":
            fields.append(Glob(name))
            ignore(.formFields(name))
        case "part":
            self.parts.append(Glob(name))
            ignore(.multipartParts(name))
        default: throw unknown
        }
    }

    private mutating func ignore(_ ignored: RequestMatcher.Ignored) {
        matchers = matchers.ignoring(ignored)
        url = url.ignoring(ignored)
    }

    func hasHeader(_ name: String) -> Bool { !headers.contains { $0.matches(name) } }
    func hasField(_ name: String) -> Bool { !fields.contains { $0.matches(name) } }
    func hasPart(_ name: String?) -> Bool { !parts.contains { $0.matches(name ?? "") } }
    func hasPlace(_ place: JSONPlace) -> Bool { !paths.contains { $0.matches(place.steps) } }

    /// A JSON body with `null` for what does not count, so that its elements keep their indices.
    func masked(_ json: JSON) -> JSON { paths.isEmpty ? json : json.replacing(paths, with: .null) }

    /// A number that two answers share which mean the same.
    func fingerprint(of outcome: Interaction.Outcome) -> Int {
        var hasher = Hasher()
        switch outcome {
        case .unknown: break
        case .response(let response): hash(response, into: &hasher)
        case .failure(let failure, let response):
            hasher.combine(failure.domain)
            hasher.combine(failure.code)
            if let response { hash(response, into: &hasher) }
        }
        return hasher.finalize()
    }

    private func hash(_ response: Interaction.Response, into hasher: inout Hasher) {
        hasher.combine(response.status)
        let content = BodyContent(of: response.body, response.headers)
        if case .json(let json, let data) = content {
            hasher.combine(BodyContent.json(masked(json), spelled: data).projection())
        } else {
            hasher.combine(content.projection())
        }
    }
}

/// What two requests have in common that belong together, the most first.
enum RequestLikeness: CaseIterable, Sendable {
    case all
    case url
    case place
    case onOtherServer
    case withOtherMethod
    case path
    /// The method, the server and the path but for numbers and identifiers in it.
    case shape

    /// What requests that are alike share; `nil` where this one can be like none.
    func key(of request: Interaction.Request, _ compared: ComparedParts) -> [Projection]? {
        func values(_ matchers: RequestMatcher...) -> [Projection] { matchers.map { $0.projection(request) } }
        let operation = Projection.text(Self.operation(of: request))
        switch self {
        case .all: return compared.matchers.map { $0.projection(request) }
        case .url: return [RequestMatcher.method, compared.url].map { $0.projection(request) } + [operation]
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
    private static func operation(of request: Interaction.Request) -> String {
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
