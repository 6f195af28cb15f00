import Foundation

/// The rules of a redaction, grouped by where they apply, so that testing a name takes one lookup.
///
/// It is an immutable class, because editors pass it on for every value.
package final class SecretRules: Sendable {
    /// What a name says, and the names beside which it says more.
    struct Meaning: Sendable {
        var role: NameRole
        var context: SecretNames.Context?
    }

    private let headerNames: NameTable<NameRole>
    private let fieldNames: NameTable<Meaning>
    private let cookieNames: NameTable<NameRole>
    private let keptNames: Set<String>
    private let headers: [(Glob, host: Glob?)]
    private let fields: [(Glob, host: Glob?)]
    private let paths: [(JSONPath, host: Glob?)]
    private let finders: [(find: @Sendable (String) -> [String], name: String, host: Glob?)]
    package let isEmpty: Bool
    /// Whether there are rules in addition to the default names.
    let hasOwnRules: Bool
    /// Whether the default names are secret.
    let knowsNames: Bool
    let dependsOnHost: Bool
    let plainBodies: PlainBodies?

    package init(_ redaction: Redaction) {
        knowsNames = redaction.knowsNames
        headerNames = redaction.knowsNames ? Self.headerNames : NameTable()
        fieldNames = redaction.knowsNames ? Self.fieldNames : NameTable()
        cookieNames = redaction.knowsNames ? Self.cookieNames : NameTable()
        keptNames = redaction.keptNames
        let rules = redaction.rules
        headers = rules.compactMap { if case .header(let name) = $0.place { (name, $0.host) } else { nil } }
        fields = rules.compactMap { if case .field(let name) = $0.place { (name, $0.host) } else { nil } }
        paths = rules.compactMap { if case .jsonPath(let path) = $0.place { (path, $0.host) } else { nil } }
        finders = rules.compactMap { rule in
            if case .values(let find, let name, _) = rule.place { (find, name, rule.host) } else { nil }
        }
        dependsOnHost = rules.contains { $0.host != nil }
        isEmpty = !redaction.knowsNames && rules.isEmpty
        hasOwnRules = !rules.isEmpty
        plainBodies = redaction.plainBodies
    }

    private static let headerNames: NameTable<NameRole> = {
        var table = NameTable<NameRole>()
        table.add(SecretNames.headers, .certain)
        table.add(SecretNames.harmlessHeaders, .harmless)
        table.add(SecretNames.likelyHeaders, .likely)
        return table
    }()

    private static let cookieNames: NameTable<NameRole> = {
        var table = NameTable<NameRole>()
        table.add(SecretNames.cookies, .certain)
        return table
    }()

    private static let fieldNames: NameTable<Meaning> = {
        var table = NameTable<Meaning>()
        let contexts = SecretNames.contextual
        func add(_ names: Set<String>, _ role: NameRole) { table.add(names, Meaning(role: role)) }
        add(SecretNames.fields, .certain)
        add(SecretNames.harmlessFields, .harmless)
        add(SecretNames.likelyFields, .likely)
        add(SecretNames.possibleFields, .possible)
        add(SecretNames.labels, .label)
        add(SecretNames.values, .value)
        add(SecretNames.descriptions, .description)
        for (name, context) in contexts {
            let role = name.withBytes { table.role(of: UnsafeRawBufferPointer($0)) }?.role ?? .contextual
            table.set(name, Meaning(role: role, context: context))
        }
        return table
    }()

    // MARK: Names

    func role(ofHeader name: String, host: String) -> NameRole? {
        if headers.contains(where: { $0.matches(name) && Self.applies($1, host) }) { return .always }
        let role = name.withBytes { headerNames.role(of: UnsafeRawBufferPointer($0)) }
        return role == nil || role == .harmless || isKept(name) ? nil : role
    }

    func role(ofCookie name: String, host: String) -> NameRole? {
        if fields.isEmpty, keptNames.isEmpty {
            return name.withBytes { cookieNames.role(of: UnsafeRawBufferPointer($0)) }
        }
        if isAlwaysSecret(SecretNames.normalized(name), host: host) { return .always }
        return isKept(name) ? nil : name.withBytes { cookieNames.role(of: UnsafeRawBufferPointer($0)) }
    }

    /// What the name of a field says; `nil` if it says nothing.
    func meaning(ofField name: UnsafeRawBufferPointer, host: String) -> Meaning? {
        if name.contains(UInt8(ascii: "\\")) {
            let decoded = JSONEscapes.decodedIfValid(name)
            if !decoded.utf8.contains(UInt8(ascii: "\\")) { return meaning(ofField: decoded, host: host) }
        }
        guard fields.isEmpty, keptNames.isEmpty else {
            let text = SecretNames.normalized(String(decoding: name, as: UTF8.self))
            if isAlwaysSecret(text, host: host) { return Meaning(role: .always) }
            return keptNames.contains(text) ? nil : known(fieldNames.role(of: name))
        }
        return known(fieldNames.role(of: name))
    }

    func meaning(ofField name: String, host: String) -> Meaning? {
        name.withBytes { meaning(ofField: UnsafeRawBufferPointer($0), host: host) }
    }

    private func known(_ meaning: Meaning?) -> Meaning? { meaning?.role == .harmless ? nil : meaning }

    private func isAlwaysSecret(_ normalized: String, host: String) -> Bool {
        fields.contains { $0.matches(normalized) && Self.applies($1, host) }
    }

    private func isKept(_ name: String) -> Bool {
        !keptNames.isEmpty && keptNames.contains(SecretNames.normalized(name))
    }

    // MARK: Other rules

    func isSecretPlace(_ place: @autoclosure () -> JSONPlace, host: String) -> Bool {
        guard !paths.isEmpty else { return false }
        let steps = place().steps
        // The values inside a selected array or object are selected too.
        return paths.contains { path, only in
            Self.applies(only, host) && (0...steps.count).contains { path.matches(Array(steps.prefix($0))) }
        }
    }

    var hasPaths: Bool { !paths.isEmpty }

    var hasFinders: Bool { !finders.isEmpty }

    func values(in text: String, host: String) -> [(value: String, name: String)] {
        finders.filter { Self.applies($0.host, host) }.flatMap { finder in
            finder.find(text).filter { !$0.isEmpty }.map { ($0, finder.name) }
        }
    }

    private static func applies(_ only: Glob?, _ host: String) -> Bool { only?.matches(host) ?? true }
}
