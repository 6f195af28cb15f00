import Foundation

/// How the family puts a body into a message: as text, or inside an object that tells more of it.
enum VCRBody {
    /// The bytes as they stand, or `nil` where there are none.
    static func data<Value>(_ message: CassetteField<Value>) throws -> Data? {
        guard let body = message["body"] ?? message["content"] else { return nil }
        guard body.value.isObject else { return try data(body, encoding: nil) }
        if let field = body["base64_string"] {
            guard let data = WrappedBase64.data(try field.string()) else { throw BodyAbsence.invalidBase64 }
            return data
        }
        guard let field = body["string"] else {
            if body.value.members.isEmpty || body.value["string"] != nil { return nil }
            throw BodyAbsence(reason: "the body is of a kind that is not known")
        }
        return try data(field, encoding: try body["encoding"]?.string())
    }

    /// The body of a response as it was before it was coded, empty where there is none.
    /// - Throws: ``BodyAbsence`` for a body that cannot be played, ``CassetteProblem`` where those of the file are too large.
    static func decoded<Value>(
        _ response: CassetteField<Value>,
        _ headers: HeaderList,
        _ budget: inout InflationBudget
    ) throws -> Body {
        do {
            return Body(try ContentCoding.decoded(data(response) ?? Data(), headers, &budget))
        } catch let excess as InflationExcess {
            guard case .cassette = excess else { throw BodyAbsence(reason: "the body \(excess.cause)") }
            throw response.excess("its body \(excess.cause)")
        }
    }

    /// Ruby and betamax keep the text in UTF-8 and name the encoding that the bytes were in.
    private static func data<Value>(_ field: CassetteField<Value>, encoding: String?) throws -> Data {
        if let text = field.value.base64Text {
            guard let data = WrappedBase64.data(text) else { throw BodyAbsence.invalidBase64 }
            return data
        }
        let text = try field.string()
        return encoding.flatMap { TextEncoding(name: $0) }?.data(text) ?? Data(text.utf8)
    }
}
