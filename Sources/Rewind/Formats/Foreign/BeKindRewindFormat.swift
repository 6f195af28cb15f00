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
        let read = scenes.enumerated().map { index, scene in
            BeKindRewindScene(CassetteField(scene, place: .entry(index)))
        }
        // Scenes are played in the order of their first frames.
        let ordered = read.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        return try Cassette(read: ordered.flatMap { $0.element.interactions() }, from: "`scenes`")
    }
}

/// The frames of one task, in the order of their times.
struct BeKindRewindScene {
    private let field: PropertyListField
    private let frames: [BeKindRewindFrame]
    private let requests: BeKindRewindRequests
    /// What cannot be read in the scene as a whole.
    private var reading = EntryReading()

    var start: Double { frames.first?.seconds ?? .infinity }

    init(_ field: PropertyListField) {
        self.field = field
        var frames: [BeKindRewindFrame] = []
        for element in reading.value({ try field.object().required("frames").elements() }) ?? [] {
            // A frame without a valid time stays after the one before it.
            let frame = reading.value { try BeKindRewindFrame(element, after: frames.last?.seconds ?? 0) }
            if let frame { frames.append(frame) }
        }
        self.frames = frames.enumerated().sorted { left, right in
            (left.element.seconds, left.offset) < (right.element.seconds, right.offset)
        }.map(\.element)
        requests = BeKindRewindRequests(self.frames.filter(\.isRequest))
    }

    /// An interaction for every redirect and one for the end of the task.
    func interactions() -> [Interaction] {
        var reading = reading
        var request = firstRequest(&reading)
        var interactions: [Interaction] = []
        for frame in frames where frame.kind == .redirect {
            let field = reading.value { try frame.field.object("response") }
            let response = field.map { $0.response(to: request, &reading) }
            let outcome = response.flatMap { $0.status > 0 ? ReadOutcome.response($0) : nil }
            interactions.append(
                interaction(
                    request,
                    outcome ?? .unknown(reason: "the redirect has no response", response: response),
                    until: frame,
                    preventedBy: reading.absence
                )
            )
            reading = self.reading
            if let next = reading.value({ try frame.field.object("request") }) {
                request = next.request(&reading)
            }
        }
        return interactions + [last(request, &reading)]
    }

    /// The original request, with the header fields that the system added before it sent the request.
    private func firstRequest(_ reading: inout EntryReading) -> Interaction.Request {
        guard var request = requests.frames.first?.field.request(&reading) else {
            _ = reading.value { () throws -> Int? in throw field.problem("the scene has no request") }
            return Interaction.Request(url: "")
        }
        let others = requests.frames.dropFirst().prefix { $0.url == request.url }
            .flatMap { reading.headers($0.field["allHTTPHeaderFields"]) }
        // Two names are the same if they differ only in case.
        var names = Set(request.headers.map { $0.name.lowercased() })
        for header in others where names.insert(header.name.lowercased()).inserted {
            request.headers.append(header.name, header.value)
        }
        return request
    }

    private func last(_ request: Interaction.Request, _ reading: inout EntryReading) -> Interaction {
        guard let index = frames.lastIndex(where: { $0.kind == .response }) else {
            let end = frames.last { !$0.isRequest } ?? frames.last
            let outcome = outcome(nil, to: request, &reading)
            return interaction(request, outcome, until: end, preventedBy: reading.absence)
        }
        let end = frames[index]
        let pieces = pieces(after: index)
        var response = end.field.response(to: request, &reading)
        response.body = body(pieces, since: end.seconds, &reading)
        let receive = max(0, (pieces.last?.seconds ?? end.seconds) - end.seconds) * 1000
        let outcome = outcome(response, to: request, &reading)
        return interaction(request, outcome, until: end, receive: receive, preventedBy: reading.absence)
    }

    /// The data after the last response. A response can occur twice, with its data repeated. In early files all frames have
    /// the same time, so only their order counts.
    private func pieces(after index: Int) -> [BeKindRewindFrame] {
        let data = frames.filter { $0.kind == .data }
        let later = data.filter { $0.seconds > frames[index].seconds }
        return later.isEmpty ? frames[index...].filter { $0.kind == .data } : later
    }

    private func body(_ pieces: [BeKindRewindFrame], since start: Double, _ reading: inout EntryReading)
        -> Interaction.Body
    {
        var data = Data()
        var chunks: [Interaction.Body.Chunk] = []
        for piece in pieces {
            let bytes = reading.value { try piece.field.required("data").data() } ?? Data()
            guard !bytes.isEmpty else { continue }
            data += bytes
            chunks.append(.init(offset: max(0, piece.seconds - start) * 1000, count: bytes.count))
        }
        return Interaction.Body(data, chunks: chunks)
    }

    private func outcome(
        _ response: Interaction.Response?,
        to request: Interaction.Request,
        _ reading: inout EntryReading
    ) -> ReadOutcome {
        if let error = frames.last(where: { $0.kind == .error })?.field {
            let failure = reading.value {
                try error.failure(message: error["userInfo"]?["NSLocalizedDescription"]?.text)
            }
            return .failure(failure ?? Interaction.Failure(code: NSURLErrorUnknown), after: response)
        }
        guard let response else { return .unknown(reason: "the scene has no response") }
        guard response.status > 0 else {
            return .unknown(reason: "the response is not an HTTP response", response: response)
        }
        return ReadOutcome.response(response).prevented(by: response.absence(ofBodyTo: request.method))
    }

    /// The wait begins at the last request before the end that has the same URL as the end.
    private func interaction(
        _ request: Interaction.Request,
        _ outcome: ReadOutcome,
        until end: BeKindRewindFrame?,
        receive: Double = 0,
        preventedBy absence: BodyAbsence?
    ) -> Interaction {
        let seconds = end?.seconds ?? start
        let begin = requests.last(until: seconds, for: [end?.url, request.url])?.seconds ?? start
        return Interaction(
            request: request,
            read: outcome,
            preventedBy: absence,
            startedAt: RecordedDate.date(begin),
            timing: .init(wait: max(0, seconds - begin) * 1000, receive: receive)
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

    init?(_ field: PropertyListField, after previous: Double) throws {
        guard let kind = Kind(rawValue: try field.required("class").string()) else { return nil }
        self.kind = kind
        self.field = field
        seconds = field["creationDate"]?.seconds ?? previous
        url = field["URL"]?.value.stringValue
    }

    var isRequest: Bool { [.originalRequest, .currentRequest, .request].contains(kind) }
}
