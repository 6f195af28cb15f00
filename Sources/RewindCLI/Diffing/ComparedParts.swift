import Rewind

/// The parts of interactions that `rewind diff` compares.
struct ComparedParts: Sendable {
    private(set) var matchers: [RequestMatcher] = .default
    private(set) var url = RequestMatcher.url
    private(set) var hasOrder = true
    /// Whether recording dates, durations and chunks are compared.
    let hasTimes: Bool
    private var headers: [Glob] = []
    private var fields: [Glob] = []
    private var parts: [Glob] = []
    private var paths: [JSONPath] = []

    static let option = "--ignore"
    static let partNames =
        "header:NAME, query:NAME, form:NAME, part:NAME, a JSON path such as $..updated_at, or order"

    init(ignoring ignored: [String] = [], hasTimes: Bool = false) throws {
        self.hasTimes = hasTimes
        for word in ignored { try ignore(part: word) }
    }

    private mutating func ignore(part word: String) throws {
        if word.hasPrefix("$") {
            do {
                paths.append(try JSONPath(word))
            } catch {
                throw UsageError.invalidPath(word, of: Self.option, error)
            }
            return ignore(.jsonPaths(word))
        }
        if word == "order" { return hasOrder = false }
        let unknown = UsageError.invalidValue(word, of: Self.option, expected: Self.partNames)
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

    /// A JSON body with `null` for ignored values, so that array elements keep their indices.
    func masked(_ json: JSON) -> JSON { paths.isEmpty ? json : json.replacing(paths, with: .null) }

    /// A hash that is equal for outcomes with the same meaning.
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

/// The parts that two similar requests share, from the most to the fewest.
enum RequestSimilarity: CaseIterable, Sendable {
    case all
    case url
    case pathAndHost
    case onOtherServer
    case withOtherMethod
    case path
    /// The method, the host, and the path except for segments with numbers or identifiers.
    case pathPattern

    /// The key that similar requests share; `nil` if no request can be similar in this way.
    func key(of request: Interaction.Request, _ compared: ComparedParts) -> [Projection]? {
        func values(_ matchers: RequestMatcher...) -> [Projection] { matchers.map { $0.projection(request) } }
        let operation = Projection.text(Self.operation(of: request))
        switch self {
        case .all: return compared.matchers.map { $0.projection(request) }
        case .url: return [RequestMatcher.method, compared.url].map { $0.projection(request) } + [operation]
        case .pathAndHost: return values(.method, .scheme, .host, .port, .path) + [operation]
        case .onOtherServer:
            return compared.matchers.ignoring(.component(.scheme), .component(.host), .component(.port))
                .map { $0.projection(request) }
        case .withOtherMethod: return values(.scheme, .host, .port, .path) + [operation]
        case .path: return values(.method, .path) + [operation]
        case .pathPattern:
            let path = URLParts(request.url).path
            let pattern = Self.pattern(of: path)
            return pattern == path ? nil : values(.method, .host) + [.text(pattern), operation]
        }
    }

    /// The names of the GraphQL operations of a request; empty if there are none.
    private static func operation(of request: Interaction.Request) -> String {
        guard let data = request.body?.data, let json = try? JSON(parsing: data),
            let operations = GraphQLOperation.all(in: json)
        else { return "" }
        return operations.map { $0.name ?? "" }.joined(separator: "\n") + "\n"
    }

    /// A path with `*` for each segment that contains a digit.
    private static func pattern(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? "*" : $0 }
            .joined(separator: "/")
    }
}
