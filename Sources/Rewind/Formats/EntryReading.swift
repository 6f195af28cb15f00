import Foundation

/// Reads the values of one interaction, so that a value that cannot be read costs this interaction and not the file.
struct EntryReading {
    /// The first value that could not be read, with its place; `nil` if there is none. With one, the interaction never
    /// answers.
    private(set) var absence: BodyAbsence?

    /// The value; `nil` if it is missing or cannot be read.
    mutating func value<Value>(_ read: () throws -> Value?) -> Value? {
        do {
            return try read()
        } catch {
            note(Self.reason(of: error))
            return nil
        }
    }

    /// Reads the body of a request. Without it, the request keeps its answer: see ``Interaction/Request/bodyAbsence``.
    func body(of request: inout Interaction.Request, _ read: () throws -> Data?) {
        do {
            if let data = try read() { request.body = Interaction.Body(data) }
        } catch {
            request.bodyAbsence = Self.reason(of: error)
        }
    }

    private static func reason(of error: any Error) -> String { (error as? BodyAbsence)?.reason ?? "\(error)" }

    mutating func note(_ reason: String) { absence = absence ?? BodyAbsence(reason: reason) }

    /// The URL of a request; empty if it is missing.
    mutating func url<Value>(_ name: String, of field: CassetteField<Value>?) -> String {
        value {
            guard let url = try field?.required(name) else { return nil }
            guard try !url.string().isEmpty else { throw url.problem("the URL is empty") }
            return try url.string()
        } ?? ""
    }

    /// The header fields of an object. Numbers and Booleans are read as text, and arrays as several fields.
    ///
    /// Platforms that store fields in a dictionary join cookies with commas, so they are split again.
    mutating func headers<Value>(_ field: CassetteField<Value>?) -> HeaderList {
        var headers = HeaderList()
        // Some languages write an empty dictionary as an empty array.
        guard let field, field.value.arrayValue?.isEmpty != true else { return headers }
        for member in value({ try field.members() }) ?? [] {
            guard let field = member.field else {
                headers.append(member.name, "")
                continue
            }
            let isArray = field.value.arrayValue != nil
            for element in isArray ? value({ try field.elements() }) ?? [] : [field] {
                guard let text = value({ try element.scalar() }) else { continue }
                let isJoined = !isArray && member.name.lowercased() == "set-cookie"
                for text in isJoined ? SetCookie.split(text) : [text] { headers.append(member.name, text) }
            }
        }
        return headers
    }

    /// A status code, as a number or as text; 0 if there is none.
    mutating func status<Value>(_ field: CassetteField<Value>?) -> Int {
        guard let value = field?.value else {
            note("the response has no status code")
            return 0
        }
        let number = value.doubleValue.flatMap { Int(exactly: $0) }
        let status = number ?? value.stringValue.flatMap { Int($0.trimmingSpaces()) }
        if status.map({ 100...999 ~= $0 }) != true {
            let text = value.scalarText.map { $0.count > 40 ? $0.prefix(39) + "…" : $0[...] }
            note("the status is \(text ?? "neither a number nor text")")
        }
        return status ?? 0
    }
}

extension CassetteField {
    /// A text, or a number or a Boolean as it is spelled.
    func scalar() throws -> String {
        guard let text = value.scalarText else { throw problem("expected a string") }
        return text
    }
}

extension Interaction.Response {
    /// Why a response without a body never answers: its header says that there was one. `nil` if it may have been empty.
    ///
    /// The length of a compressed body says nothing about the size of its content.
    func absence(ofBodyTo method: String) -> BodyAbsence? {
        let isBodiless = method.uppercased() == "HEAD" || [204, 304].contains(status) || redirectTarget != nil
        let isEncoded = headers["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
        guard body.isEmpty, !isBodiless, !isEncoded,
            let length = headers["Content-Length"].flatMap({ Int($0.trimmingSpaces()) }), length > 0
        else { return nil }
        return BodyAbsence(reason: "the body of \(length) bytes was not recorded")
    }
}

extension Cassette {
    /// Creates a cassette of what was read from a file.
    /// - Throws: ``CassetteError/Problem`` if no request has a URL: then the file is something else.
    init(read interactions: [Interaction], from place: String) throws {
        self.init(interactions: interactions)
        guard !interactions.isEmpty, interactions.allSatisfy({ $0.request.url.isEmpty }) else { return }
        var cause = "no request has a URL"
        if case .unknown(let reason) = interactions[0].outcome { cause += ": \(reason)" }
        throw CassetteError.Problem.structure(place: place, cause: cause)
    }
}
