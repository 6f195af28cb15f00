import Foundation

/// The property lists of BeKindRewind, with scenes of frames. A scene is a task, and a frame is one of its events. A
/// redirect becomes a separate interaction, as in HAR. BeKindRewind matches by URL alone (`matching = [.url]`), but
/// methods and bodies are read as well.
package enum BeKindRewindFormat: CassetteReader {
    package static let name = "BeKindRewind"

    /// A property list with `scenes`.
    package static func recognizes(_ data: Data) -> Bool { PropertyList.has("scenes", in: data) }

    package static func read(_ data: Data) throws -> Cassette {
        let field = try CassetteField(PropertyList(data), place: .root).required("scenes")
        guard let scenes = field.value.arrayValue else { throw field.problem("expected an array") }
        let read = try scenes.enumerated().map { index, scene in
            try BeKindRewindScene(CassetteField(scene, place: .entry(index)))
        }
        // Scenes are played in the order of their first frames.
        let ordered = read.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        return Cassette(interactions: try ordered.flatMap { try $0.element.interactions() })
    }
}

/// The frames of one task, in the order of their times.
struct BeKindRewindScene {
    private let field: PropertyListField
    private let frames: [BeKindRewindFrame]
    private let requests: BeKindRewindRequests

    var start: Double { frames.first?.seconds ?? .infinity }

    init(_ field: PropertyListField) throws {
        self.field = try field.object()
        let frames = try field.required("frames").elements().compactMap { try BeKindRewindFrame($0) }
        self.frames = frames.enumerated().sorted { left, right in
            (left.element.seconds, left.offset) < (right.element.seconds, right.offset)
        }.map(\.element)
        requests = BeKindRewindRequests(self.frames.filter(\.isRequest))
    }

    /// An interaction for every redirect and one for the end of the task.
    func interactions() throws -> [Interaction] {
        guard var request = try firstRequest() else { throw field.problem("the scene has no request") }
        var interactions: [Interaction] = []
        for frame in frames where frame.kind == .redirect {
            let response = try frame.field.object("response").map { try $0.response() }
            let outcome = response.map { Interaction.Outcome.response($0) }
            interactions.append(
                interaction(request, outcome ?? .unknown(reason: "the redirect has no response"), until: frame)
            )
            request = try frame.field.object("request").map { try $0.request() } ?? request
        }
        return interactions + [try last(request)]
    }

    /// The original request, with the header fields that the system added before it sent the request.
    private func firstRequest() throws -> Interaction.Request? {
        guard var request = try requests.frames.first?.field.request() else { return nil }
        let others = try requests.frames.dropFirst().prefix { $0.url == request.url }
            .flatMap { try $0.field.request().headers }
        // Two names are the same if they differ only in case.
        var names = Set(request.headers.map { $0.name.lowercased() })
        for header in others where names.insert(header.name.lowercased()).inserted {
            request.headers.append(header.name, header.value)
        }
        return request
    }

    private func last(_ request: Interaction.Request) throws -> Interaction {
        guard let index = frames.lastIndex(where: { $0.kind == .response }) else {
            let end = frames.last { !$0.isRequest } ?? frames[frames.count - 1]
            return interaction(request, try outcome(nil), until: end)
        }
        let end = frames[index]
        let pieces = pieces(after: index)
        var response = try end.field.response()
        response.body = try body(pieces, since: end.seconds)
        let receive = max(0, (pieces.last?.seconds ?? end.seconds) - end.seconds) * 1000
        return interaction(request, try outcome(response), until: end, receive: receive)
    }

    /// The data after the last response. A response can occur twice, with its data repeated. In early files all frames have
    /// the same time, so only their order counts.
    private func pieces(after index: Int) -> [BeKindRewindFrame] {
        let data = frames.filter { $0.kind == .data }
        let later = data.filter { $0.seconds > frames[index].seconds }
        return later.isEmpty ? frames[index...].filter { $0.kind == .data } : later
    }

    private func body(_ pieces: [BeKindRewindFrame], since start: Double) throws -> Interaction.Body {
        var data = Data()
        var chunks: [Interaction.Body.Chunk] = []
        for piece in pieces {
            let bytes = try piece.field["data"]?.data() ?? Data()
            guard !bytes.isEmpty else { continue }
            data += bytes
            chunks.append(.init(offset: max(0, piece.seconds - start) * 1000, count: bytes.count))
        }
        return Interaction.Body(data, chunks: chunks)
    }

    private func outcome(_ response: Interaction.Response?) throws -> Interaction.Outcome {
        if let error = frames.last(where: { $0.kind == .error })?.field {
            let message = try error.object("userInfo")?["NSLocalizedDescription"]
            return .failure(try error.failure(message: message), after: response)
        }
        guard let response else { return .unknown(reason: "the scene has no response") }
        return response.status > 0
            ? .response(response) : .unknown(reason: "the response is not an HTTP response")
    }

    /// The wait begins at the last request before the end that has the same URL as the end.
    private func interaction(
        _ request: Interaction.Request,
        _ outcome: Interaction.Outcome,
        until end: BeKindRewindFrame,
        receive: Double = 0
    ) -> Interaction {
        let begin = requests.last(until: end.seconds, for: [end.url, request.url])?.seconds ?? start
        return Interaction(
            request: request,
            outcome: outcome,
            startedAt: RecordedDate.date(begin),
            timing: .init(wait: max(0, end.seconds - begin) * 1000, receive: receive)
        )
    }
}

/// The requests of a scene in the order of their times. There may be many, one for each redirect.
struct BeKindRewindRequests {
    let frames: [BeKindRewindFrame]
    private let places: [String?: [Int]]

    init(_ frames: [BeKindRewindFrame]) {
        self.frames = frames
        places = Dictionary(grouping: frames.indices) { frames[$0].url }
    }

    /// The last request up to a time that has one of the URLs, otherwise the last one up to that time.
    func last(until seconds: Double, for urls: [String?]) -> BeKindRewindFrame? {
        let end = Self.count(frames.indices) { frames[$0].seconds <= seconds }
        let place = urls.compactMap { url in
            places[url].flatMap { places in
                let count = Self.count(places) { $0 < end }
                return count > 0 ? places[count - 1] : nil
            }
        }.max()
        return end > 0 ? frames[place ?? end - 1] : nil
    }

    /// The number of elements at the start that satisfy a condition, by binary search.
    private static func count<Elements: RandomAccessCollection<Int>>(
        _ elements: Elements,
        where isEarly: (Int) -> Bool
    ) -> Int where Elements.Index == Int {
        var (low, high) = (elements.startIndex, elements.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isEarly(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

struct BeKindRewindFrame {
    /// The kinds of frames; frames of unknown kinds are ignored.
    enum Kind: String {
        case originalRequest = "BKROriginalRequestFrame"
        case currentRequest = "BKRCurrentRequestFrame"
        case request = "BKRRequestFrame"
        case response = "BKRResponseFrame"
        case data = "BKRDataFrame"
        case redirect = "BKRRedirectFrame"
        case error = "BKRErrorFrame"
    }

    let kind: Kind
    let seconds: Double
    let url: String?
    let field: PropertyListField

    init?(_ field: PropertyListField) throws {
        guard let kind = Kind(rawValue: try field.required("class").string()) else { return nil }
        self.kind = kind
        self.field = field
        seconds = try field["creationDate"]?.seconds() ?? 0
        url = try field["URL"]?.string()
    }

    var isRequest: Bool { [.originalRequest, .currentRequest, .request].contains(kind) }
}
