import Foundation

extension CassetteField {
    /// Reads a failure from an object with an optional domain and an optional code.
    func failure(message: CassetteField?) throws -> Interaction.Failure {
        Interaction.Failure(
            domain: try self["domain"]?.string() ?? NSURLErrorDomain,
            code: try self["code"]?.integer() ?? NSURLErrorUnknown,
            message: try message?.string() ?? ""
        )
    }

    /// Reads header fields from an object whose values are strings or arrays of strings. Platforms that store fields in a
    /// dictionary join cookies with commas, so they are split again.
    func headerFields() throws -> HeaderList {
        var headers = HeaderList()
        for (name, field) in try members() {
            guard let field else {
                headers.append(name, "")
                continue
            }
            if field.value.arrayValue != nil {
                for value in try field.elements() { headers.append(name, try value.string()) }
            } else if name.lowercased() == "set-cookie" {
                for cookie in SetCookie.split(try field.string()) { headers.append(name, cookie) }
            } else {
                headers.append(name, try field.string())
            }
        }
        return headers
    }
}

extension JSONField {
    /// Reads the `_rewind.failure` of an archive, with the user info of the error.
    func failureWithUserInfo() throws -> Interaction.Failure {
        var failure = try failure(message: self["message"])
        failure.bodyWasSent = self["sent"]?.value.boolValue ?? false
        guard let userInfo = try object("userInfo") else { return failure }
        failure.userInfo = try userInfo.members().reduce(into: [:]) { values, member in
            values[member.name] = try member.field?.userInfoValue()
        }
        return failure
    }

    private func userInfoValue() throws -> Interaction.Failure.UserInfoValue? {
        switch value {
        case .string(let text): return .text(text)
        case .bool(let flag): return .flag(flag)
        case .number: return .number(try double())
        case .array: return .list(try elements().compactMap { try $0.userInfoValue() })
        case .null: return nil
        case .object: break
        }
        if let error = try object("error") { return .failure(try error.failureWithUserInfo()) }
        if let url = self["url"] { return .url(try url.string()) }
        switch try self["requestURL"]?.string() {
        case "url": return .requestURL
        case "text": return .requestURLText
        default: return nil
        }
    }
}

extension JSON {
    init(_ failure: Interaction.Failure) {
        var object: JSONObject = [
            "domain": .string(failure.domain), "code": JSON(failure.code), "message": .string(failure.message),
        ]
        if failure.bodyWasSent { object.append("sent", true) }
        if let userInfo = failure.userInfo {
            var members = JSONObject()
            for (name, value) in userInfo.sorted(by: { $0.key < $1.key }) { members.append(name, JSON(value)) }
            object.append("userInfo", .object(members))
        }
        self = .object(object)
    }

    private init(_ value: Interaction.Failure.UserInfoValue) {
        switch value {
        case .text(let text): self = .string(text)
        case .number(let number): self = Int(exactly: number).map { JSON($0) } ?? JSON(number)
        case .flag(let flag): self = .bool(flag)
        case .url(let url): self = ["url": .string(url)]
        case .requestURL: self = ["requestURL": "url"]
        case .requestURLText: self = ["requestURL": "text"]
        case .failure(let failure): self = ["error": JSON(failure)]
        case .list(let values): self = .array(values.map { JSON($0) })
        }
    }
}

enum RecordedDate {
    /// The date for seconds since 1970; `distantPast` outside the years 1 to 9999, which no format can represent.
    static func date(_ seconds: Double) -> Date {
        -62_135_596_800..<253_402_300_800 ~= seconds ? Date(timeIntervalSince1970: seconds) : .distantPast
    }
}

/// The reason why the body of an entry cannot be replayed.
struct BodyAbsence: Error {
    let reason: String

    static let invalidBase64 = BodyAbsence(reason: "the body is not valid base64")
    static let invalidRequestBase64 = BodyAbsence(reason: "the request body is not valid base64")
}
