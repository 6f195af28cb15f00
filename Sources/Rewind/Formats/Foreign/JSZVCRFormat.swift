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
        return Cassette(
            interactions: try recordings.enumerated().map { index, recording in
                try interaction(CassetteField(recording, place: .entry(index)))
            }
        )
    }

    private static func interaction(_ field: PropertyListField) throws -> Interaction {
        let requests = try field.object().required("request").object()
        let current = try requests.object("currentRequest")
        let request = try requests.object("originalRequest") ?? current ?? requests.required("originalRequest")
        var read = try request.request()
        // Only the current request has the header fields that the system added.
        if let headers = try current?["allHTTPHeaderFields"]?.headerFields() { read.headers = headers }
        if read.body == nil { read.body = try current?["HTTPBody"].map { Interaction.Body(try $0.data()) } }
        return Interaction(request: read, outcome: try outcome(field), startedAt: .distantPast)
    }

    private static func outcome(_ field: PropertyListField) throws -> Interaction.Outcome {
        var response: Interaction.Response?
        if let head = try field.object("response")?.object("response")?.response(), head.status > 0 {
            response = head
            response?.body = Interaction.Body(try field.object("data")?["data"]?.data() ?? Data())
        }
        if let error = try field.object("error") {
            return .failure(try error.failure(message: error["description"]), after: response)
        }
        if field["cancelled"]?.value == .truth {
            return .failure(Interaction.Failure(code: NSURLErrorCancelled), after: response)
        }
        return response.map { .response($0) } ?? .unknown(reason: "the recording has no response")
    }
}
