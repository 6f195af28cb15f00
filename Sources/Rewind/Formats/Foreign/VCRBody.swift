import Foundation

extension CassetteField {
    /// Reads the decoded body of a response.
    /// - Throws: ``BodyAbsence`` if the body cannot be replayed, ``CassetteError/Problem`` if the bodies of the file are
    ///   too large.
    func vcrBody(
        of head: Interaction.Response,
        to method: String,
        _ convention: VCRConvention?,
        _ budget: inout InflationBudget
    ) throws -> Interaction.Body {
        do {
            if let json = self["parsed_body"] { return Interaction.Body(try json.vcrParsedBody()) }
            let data =
                if let archived = self["body"]?["raw_gzip"] {
                    try archived.vcrCompressed(&budget)
                } else if let data = try vcrBodyData() {
                    data
                } else if head.mayHaveNoBody(to: method) || convention?.omitsEmptyBodies ?? false {
                    Data()
                } else {
                    throw BodyAbsence.notRecorded
                }
            return Interaction.Body(try ContentCoding.decoded(data, head.headers, &budget))
        } catch let excess as InflationExcess {
            guard case .cassette = excess else { throw BodyAbsence(reason: "the body \(excess.cause)") }
            throw self.excess("its body \(excess.cause)")
        }
    }

    /// Reads the bytes of a body from a string or an object; `nil` if the message has none, which is not the same as an
    /// empty one.
    func vcrBodyData() throws(BodyAbsence) -> Data? {
        if let json = self["parsed_body"] { return try json.vcrParsedBody() }
        let name = value["body"] == nil ? "content" : "body"
        guard value[name] != nil else { return nil }
        guard let body = self[name] else { return Data() }
        guard body.value.isObject else { return try body.vcrBytes(encoding: nil) }
        // Tools that know no body write an object without members, or null as its text.
        if body.value.members.isEmpty { return Data() }
        // VCR for R can put a body into a file.
        if let path = body["on_disk"] ?? (body.isInFile ? body["string"] : nil) {
            throw BodyAbsence(
                reason:
                    "the body is in the file `\(path.value.scalarText?.prefix(200) ?? "")`, which is not read"
            )
        }
        if body.value["base64_string"] != nil {
            guard let field = body["base64_string"] else { return Data() }
            return try field.vcrBytes(base64: field.value.stringValue)
        }
        if body.value["string"] != nil {
            return try body["string"]?.vcrBytes(encoding: body["encoding"]?.value.stringValue) ?? Data()
        }
        let isOnlyNamed = body.value.members.allSatisfy { ["encoding", "file"].contains($0.name) }
        throw isOnlyNamed ? .notRecorded : BodyAbsence(reason: "the body has an unknown format")
    }

    private var isInFile: Bool { ["yes", "true"].contains(self["file"]?.value.scalarText) }

    /// VCR and betamax store the text in UTF-8, with the name of the encoding that the string had.
    private func vcrBytes(encoding: String?) throws(BodyAbsence) -> Data {
        if value.base64Text != nil { return try vcrBytes(base64: value.base64Text) }
        guard let text = value.scalarText else {
            throw BodyAbsence(
                reason: value.unsupported.map { "in the body, \($0)" } ?? "the body has an unknown format"
            )
        }
        guard let encoding, !bytesWithoutEncoding.contains(encoding.uppercased()) else {
            return Data(text.utf8)
        }
        return try TextEncoding.data(Data(text.utf8), named: encoding)
    }

    /// Ruby's names for bytes whose encoding is not known, and for ASCII, as which VCR does not convert other text.
    private var bytesWithoutEncoding: [String] { ["", "ASCII-8BIT", "BINARY", "US-ASCII", "ASCII"] }

    private func vcrBytes(base64 text: String?) throws(BodyAbsence) -> Data {
        // Words such as `True` are valid base64.
        guard let text, !value.isBoolean, let data = WrappedBase64.data(text) else {
            throw BodyAbsence.invalidBase64
        }
        return data
    }

    /// VCR 2 for R compresses bodies that are not text, whatever the header says. The data is zlib (RFC 1950), although R
    /// calls it gzip.
    private func vcrCompressed(_ budget: inout InflationBudget) throws -> Data {
        let data = try vcrBytes(base64: value.stringValue)
        let coding = data.starts(with: [0x1F, 0x8B]) ? "gzip" : "deflate"
        let content = try ContentCoding.decoded(data, ["Content-Encoding": coding], &budget)
        guard content != data || data.isEmpty else {
            throw BodyAbsence(reason: "the body is not valid zlib data")
        }
        return content
    }

    /// Reads a JSON body that the serializer of the tests of pydantic-ai parsed, in requests and responses. The text is the
    /// one that this tool plays; what was sent may have had other spaces and escapes. `Content-Encoding` does not apply.
    private func vcrParsedBody() throws(BodyAbsence) -> Data {
        do {
            var text: [UInt8] = []
            try value.writeJSON(to: &text)
            return Data(text)
        } catch {
            throw error as? BodyAbsence ?? BodyAbsence(reason: "the body cannot be written as JSON")
        }
    }
}

extension BodyAbsence {
    static let notRecorded = BodyAbsence(reason: "no body was recorded")
}

extension Interaction.Response {
    /// Whether there is no body after this head (RFC 9112 section 6.3).
    fileprivate func mayHaveNoBody(to method: String) -> Bool {
        method == "HEAD" || [204, 304].contains(status) || 100..<200 ~= status
            || headers.values(for: "Content-Length").map { $0.trimmingSpaces() } == ["0"]
    }
}
