import Foundation

/// The property lists of JSZVCR: an array of recordings, unordered and without times. JSZVCR compares URLs alone:
/// `matching = [.url]`.
package enum JSZVCRFormat: CassetteReader {
    package static let name = "JSZVCR"

    /// A property list with a `currentRequest`.
    package static func recognizes(_ data: Data) -> Bool {
        !PropertyList.has("scenes", in: data) && PropertyList.has("currentRequest", in: data)
    }

    package static func read(_ data: Data) throws -> Cassette {
        guard let recordings = try PropertyList(data).arrayValue else {
            throw CassetteError.Problem.structure(
                place: "the property list",
                cause: "expected an array of recordings"
            )
        }
        let interactions = recordings.enumerated().map { index, recording in
            interaction(CassetteField(recording, place: .entry(index)))
        }
        return try Cassette(read: interactions, from: "the property list")
    }

    private static func interaction(_ field: PropertyListField) -> Interaction {
        var reading = EntryReading()
        let recording = reading.value { try field.object() }
        let requests = reading.value { try recording?.required("request").object() }
        let current = reading.value { try requests?.object("currentRequest") }
        let original = reading.value { try requests?.object("originalRequest") }
        if requests != nil, original == nil, current == nil {
            _ = reading.value { try requests?.required("originalRequest") }
        }
        var request = (original ?? current)?.request(&reading) ?? Interaction.Request(url: "")
        // Only the current request has the header fields that the system added.
        if let headers = current?["allHTTPHeaderFields"] { request.headers = reading.headers(headers) }
        if request.body == nil {
            reading.body(of: &request) { try current?["HTTPBody"]?.data() }
        }
        let outcome = recording.map { self.outcome($0, of: request, &reading) }
        return Interaction(
            request: request,
            read: outcome ?? .unknown(reason: "the recording has no response"),
            preventedBy: reading.absence,
            startedAt: .distantPast
        )
    }

    private static func outcome(
        _ field: PropertyListField,
        of request: Interaction.Request,
        _ reading: inout EntryReading
    ) -> ReadOutcome {
        var response: Interaction.Response?
        let head = reading.value { try field.object("response")?.object("response") }
        if var head = head?.response(to: request, &reading), head.status > 0 {
            let data = reading.value { try field.object("data")?["data"]?.data() }
            head.body = Interaction.Body(data ?? Data())
            response = head
        }
        if let error = reading.value({ try field.object("error") }) {
            let failure = reading.value { try error.failure(message: error["description"]?.text) }
            return .failure(failure ?? Interaction.Failure(code: NSURLErrorUnknown), after: response)
        }
        if field["cancelled"]?.value == .truth {
            return .failure(Interaction.Failure(code: NSURLErrorCancelled), after: response)
        }
        guard let response else { return .unknown(reason: "the recording has no response") }
        return ReadOutcome.response(response).prevented(by: response.absence(ofBodyTo: request.method))
    }
}
