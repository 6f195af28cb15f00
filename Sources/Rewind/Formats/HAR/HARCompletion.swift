import Foundation

/// Adds what HAR 1.2 requires to archives of tools that wrote less. Members that are valid stay as they are.
enum HARCompletion {
    /// The members of an entry that was read, with what is missing from those that Rewind would write.
    static func entry(_ entry: JSONObject, from whole: JSONObject) -> JSONObject {
        guard var completed = value(.object(entry), as: HARSchema.entry, from: .object(whole)).objectValue
        else { return whole }
        // What was added could change why an entry never answers.
        if completed != entry, let reason = whole["_rewind"]?["unanswered"] {
            var own = completed["_rewind"]?.objectValue ?? JSONObject()
            own["unanswered"] = reason
            completed["_rewind"] = .object(own)
        }
        return completed
    }

    /// The members of `log` without its entries, with what is missing.
    static func log(_ log: JSONObject, from frame: JSONObject) -> JSONObject {
        var log = log
        log["version"] = "1.2"
        return value(.object(log), as: HARSchema.log, from: .object(frame)).objectValue ?? frame
    }

    private static func value(_ value: JSON?, as schema: HARSchema, from whole: JSON?) -> JSON {
        guard case .object(let required, let optional) = schema, let object = value?.objectValue else {
            if let value, schema.accepts(value) { return value }
            return whole ?? schema.least
        }
        var completed = JSONObject()
        for member in object.members where object[member.name] == member.value {
            if let schema = required[member.name] {
                completed.append(member.name, self.value(member.value, as: schema, from: whole?[member.name]))
            } else if optional[member.name]?.accepts(member.value) ?? true {
                completed.append(member.name, member.value)
            } else {
                if let value = whole?[member.name] { completed.append(member.name, value) }
                // Custom members may have any value.
                if object["_" + member.name] == nil { completed.append("_" + member.name, member.value) }
            }
        }
        // The text of a body and its encoding belong together.
        if completed["text"] != object["text"], let encoding = whole?["encoding"] {
            completed["encoding"] = encoding
        }
        if completed != object, let reason = whole?["_unknown"] { completed["_unknown"] = reason }
        for (name, schema) in required.sorted(by: { $0.key < $1.key }) where completed[name] == nil {
            completed.append(name, whole?[name] ?? schema.least)
        }
        return .object(completed)
    }
}

/// What HAR 1.2 allows as a value.
indirect enum HARSchema: Sendable {
    case text
    case number(atLeast: Double)
    case integer
    case flag
    case date
    case list(of: HARSchema?)
    case object([String: HARSchema], optional: [String: HARSchema])

    func accepts(_ json: JSON) -> Bool {
        switch self {
        case .text: return json.stringValue != nil
        case .number(let least): return json.doubleValue.map { $0 >= least } ?? false
        case .integer: return json.doubleValue.map { $0 == $0.rounded() } ?? false
        case .flag: return json.boolValue != nil
        case .date: return json.stringValue.map(Self.isDate) ?? false
        case .list(let element):
            guard let elements = json.arrayValue else { return false }
            return element.map { schema in elements.allSatisfy(schema.accepts) } ?? true
        case .object(let required, let optional):
            guard let object = json.objectValue else { return false }
            return required.allSatisfy { name, schema in object[name].map(schema.accepts) ?? false }
                && optional.allSatisfy { name, schema in object[name].map(schema.accepts) ?? true }
        }
    }

    /// A value that says the least.
    var least: JSON {
        switch self {
        case .text: ""
        case .number(let least): JSON(Swift.max(0, least))
        case .integer: -1
        case .flag: false
        case .date: .string(HARDate.text(Date(timeIntervalSince1970: 0)))
        case .list: []
        case .object(let required, _):
            .object(
                JSONObject(
                    required.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value.least) }
                )
            )
        }
    }

    /// A date and a time with a time zone (RFC 3339).
    private static func isDate(_ text: String) -> Bool {
        func matches(_ bytes: some Collection<UInt8>, _ pattern: StaticString) -> Bool {
            let pattern = UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
            return bytes.elementsEqual(pattern) { byte, mark in
                mark == JSONByte.zero ? JSONByte.zero...JSONByte.nine ~= byte : byte == mark
            }
        }
        guard matches(text.utf8.prefix(19), "0000-00-00T00:00:00") else { return false }
        var rest = text.utf8.dropFirst(19)
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { JSONByte.zero...JSONByte.nine ~= $0 }
            guard !digits.isEmpty else { return false }
            rest = rest.dropFirst(digits.count + 1)
        }
        return matches(rest, "Z") || matches(rest, "+00:00") || matches(rest, "-00:00")
    }
}

extension HARSchema {
    static let entry = object(
        [
            "startedDateTime": .date, "time": .number(atLeast: 0), "request": request, "response": response,
            "cache": .object([:], optional: [:]), "timings": timings,
        ],
        optional: ["pageref": .text, "serverIPAddress": .text, "connection": .text, "comment": .text]
    )

    static let log = object(
        ["version": .text, "creator": tool],
        optional: ["browser": tool, "pages": .list(of: nil), "comment": .text]
    )

    private static let tool = object(["name": .text, "version": .text], optional: ["comment": .text])

    private static let request = object(
        [
            "method": .text, "url": .text, "httpVersion": .text, "cookies": .list(of: cookie),
            "headers": .list(of: pair), "queryString": .list(of: pair), "headersSize": .integer,
            "bodySize": .integer,
        ],
        optional: ["postData": postData, "comment": .text]
    )

    private static let response = object(
        [
            "status": .integer, "statusText": .text, "httpVersion": .text, "cookies": .list(of: cookie),
            "headers": .list(of: pair), "content": content, "redirectURL": .text, "headersSize": .integer,
            "bodySize": .integer,
        ],
        optional: ["comment": .text]
    )

    private static let content = object(
        ["size": .integer, "mimeType": .text],
        optional: ["compression": .integer, "text": .text, "encoding": .text, "comment": .text]
    )

    private static let postData = object(
        ["mimeType": .text],
        optional: [
            "text": .text, "comment": .text,
            "params": .list(
                of: .object(
                    ["name": .text],
                    optional: ["value": .text, "fileName": .text, "contentType": .text, "comment": .text]
                )
            ),
        ]
    )

    private static let pair = object(["name": .text, "value": .text], optional: ["comment": .text])

    private static let cookie = object(
        ["name": .text, "value": .text],
        optional: [
            "path": .text, "domain": .text, "httpOnly": .flag, "secure": .flag, "comment": .text,
        ]
    )

    private static let timings = object(
        ["send": duration, "wait": duration, "receive": duration],
        optional: ["blocked": duration, "dns": duration, "connect": duration, "ssl": duration]
    )

    private static let duration = number(atLeast: -1)
}
