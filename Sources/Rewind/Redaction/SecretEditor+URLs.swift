import Foundation

extension SecretEditor {
    /// Redacts the user, the path, the query and the fragment of each URL in a text.
    func redactURL(_ text: String, at place: @autoclosure () -> String) -> String? {
        guard !rules.isEmpty else { return nil }
        enterValues(in: text)
        return text.edited { bytes in
            let edits =
                userEdits(in: bytes, at: place())
                + pairEdits(in: bytes, ends: Self.itemEnds, of: "query", at: place(), isURL: true)
                + pathEdits(in: bytes, at: place())
            return edits.merged
        }
    }

    // MARK: Users

    /// Redacts the user and the password of each URL in a text.
    func userEdits(in bytes: UnsafeRawBufferPointer, at place: @autoclosure () -> String) -> [ByteEdit] {
        guard rules.knowsNames, bytes.firstIndex(ofByte: UInt8(ascii: "@"), from: 0) != nil else { return [] }
        var edits: [ByteEdit] = []
        var position = 0
        while let slash = bytes.firstIndex(ofByte: UInt8(ascii: "/"), from: position) {
            position = slash + 1
            guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { continue }
            position += 1
            let end = bytes[position...].firstIndex(where: Self.authorityEnds.contains) ?? bytes.count
            // Only at the start of a text can a URL begin with two slashes; elsewhere it has a scheme.
            guard slash == 0 || bytes[slash - 1] == UInt8(ascii: ":"),
                let at = bytes[position..<end].lastIndex(of: UInt8(ascii: "@"))
            else { continue }
            let parts = bytes[position..<at].split(
                separator: UInt8(ascii: ":"),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            for (part, name) in zip(parts, ["user", "password"]) {
                let spelled = String(decoding: part, as: UTF8.self)
                let value = PercentDecoding.decoded(spelled) ?? spelled
                // A user such as `oauth2` may be an ordinary word elsewhere.
                let isEverywhere = name == "password" || ValuePattern.looksGenerated(Array(value.utf8))
                let path = "\(place()) \(name)"
                if let placeholder = placeholder(for: value, name: name, at: path, isEverywhere: isEverywhere) {
                    edits.append(ByteEdit(part.startIndex..<part.endIndex, placeholder))
                }
            }
            position = at
        }
        return edits
    }

    private static let authorityEnds = ByteSet(" \t\r\n/?#\"'<>\\")

    // MARK: Queries and forms

    /// Redacts `name=value` pairs, as in queries, fragments and forms.
    ///
    /// A fragment may be a query, as in OAuth's implicit grant (RFC 6749 section 4.2.2).
    func pairEdits(
        in bytes: UnsafeRawBufferPointer,
        ends: ByteSet,
        of kind: String,
        at place: @autoclosure () -> String,
        depth: Int = 0,
        isForm: Bool = false,
        isURL: Bool = false
    ) -> [ByteEdit] {
        var edits: [ByteEdit] = []
        var position = 0
        let isJSON = bytes.beginLikeJSON
        /// The pairs between ampersands that were found so far.
        var group: [(name: Range<Int>, value: Range<Int>)] = []
        func endGroup() {
            lazy var names = Set(group.map { SecretNames.normalized(Self.decodedName(bytes[$0.name])) })
            for pair in group {
                edits += pairEdits(
                    pair,
                    beside: { names },
                    in: bytes,
                    at: "\(place()) \(kind)",
                    depth: depth,
                    isForm: isForm,
                    isURL: isURL
                )
            }
            group.removeAll(keepingCapacity: true)
        }
        while let equals = bytes.firstIndex(ofByte: UInt8(ascii: "="), from: position) {
            let last = group.last?.value.upperBound ?? 0
            guard let start = Self.start(ofNameBefore: equals, in: bytes, after: max(position, last)) else {
                position = equals + 1
                continue
            }
            position = equals + 1
            var end = position
            // A parameter of a path ends before the query.
            let isPath = !isForm && start > 0 && bytes[start - 1] == UInt8(ascii: ";")
            while end < bytes.count, !isPath || !Self.segmentEnds.contains(bytes[end]) {
                // In a URL, a semicolon ends a value only if another name follows.
                let isInside = isURL && bytes[end] == UInt8(ascii: ";") && !Self.isName(after: end, in: bytes)
                guard isInside || !ends.contains(bytes[end]) else { break }
                end += 1
            }
            if !isForm, start - last > 64 || bytes[last..<start].contains(where: Self.groupEnds.contains) {
                endGroup()
            }
            // Strings of JSON with escapes are read one by one.
            if !isJSON || end == bytes.count || bytes[end] != UInt8(ascii: "\\") {
                group.append((start..<equals, position..<end))
            }
            position = end
        }
        endGroup()
        return edits
    }

    private func meaning(ofPair name: String, isForm: Bool) -> SecretRules.Meaning? {
        let inner = isForm ? formMeaning(of: name) : rules.meaning(ofField: name, host: host)
        guard inner?.context != nil, name.contains("[") else { return inner }
        // `card[number]` is a card number.
        let joined = name.filter { $0 != "]" }.replacingOccurrences(of: "[", with: "_")
        return rules.meaning(ofField: joined, host: host) ?? inner
    }

    private func pairEdits(
        _ pair: (name: Range<Int>, value: Range<Int>),
        beside names: () -> Set<String>,
        in bytes: UnsafeRawBufferPointer,
        at place: @autoclosure () -> String,
        depth: Int,
        isForm: Bool,
        isURL: Bool
    ) -> [ByteEdit] {
        let name = Self.decodedName(bytes[pair.name])
        var meaning = meaning(ofPair: name, isForm: isForm)
        // `?key=` is the key of an API, unless the value is short.
        if isURL, pair.value.count >= 16, meaning?.role == .label, name.lowercased() == "key" {
            meaning = SecretRules.Meaning(role: .likely)
        }
        guard meaning != nil || pair.value.count >= 8 else { return [] }
        var field = SecretField(
            name: name,
            meaning: meaning,
            isMachineText: isForm || isURL || message == .request || Self.isItem(pair.name, in: bytes)
        )
        if meaning?.context != nil {
            field.siblings = names()
        }
        let hasSpaces =
            isForm && !bytes[pair.value].contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") }
        return edits(
            of: pair.value,
            in: bytes,
            escapedBy: hasSpaces ? .form : .percent,
            field,
            at: { "\(place()) \(name)" },
            depth: depth
        )
    }

    /// What the name of a form field says. In a form, `pass` is not a count.
    func formMeaning(of name: String) -> SecretRules.Meaning? {
        let meaning = rules.meaning(ofField: name, host: host)
        guard meaning?.role == .possible, SecretNames.formPasswords.contains(SecretNames.normalized(name))
        else { return meaning }
        return SecretRules.Meaning(role: .certain)
    }

    private static func decodedName(_ name: Slice<UnsafeRawBufferPointer>) -> String {
        let spelled = String(decoding: name, as: UTF8.self)
        guard name.contains(where: encodings.contains) else { return spelled }
        return PercentDecoding.decoded(spelled, plusIsSpace: true) ?? spelled
    }

    /// The start of the name before an equals sign; `nil` if it is not the name of a query item.
    private static func start(ofNameBefore equals: Int, in bytes: UnsafeRawBufferPointer, after end: Int)
        -> Int?
    {
        var start = equals
        while start > end, isNameByte(bytes[start - 1]) {
            start -= 1
            guard equals - start <= SecretNames.longestName else { return nil }
        }
        guard start < equals else { return nil }
        return start == 0 || itemStarts.contains(bytes[start - 1]) ? start : nil
    }

    /// Whether a name follows the sign of a query.
    private static func isItem(_ name: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        name.lowerBound > 0 && querySigns.contains(bytes[name.lowerBound - 1])
    }

    private static let querySigns = ByteSet("?&;")

    private static func isName(after place: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        let rest = bytes[(place + 1)...].prefix(SecretNames.longestName)
        let name = rest.prefix(while: isNameByte)
        return !name.isEmpty && name.endIndex < bytes.count && bytes[name.endIndex] == UInt8(ascii: "=")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { nameBytes.contains(byte) || byte >= 0x80 }
    private static let nameBytes = ByteSet(ByteSet.letters + "0123456789_-.[]%+$")
    private static let encodings = ByteSet("%+")
    private static let itemStarts = ByteSet("?&;#\n")
    private static let controls = String((0...0x20 as ClosedRange<UInt8>).map { Character(Unicode.Scalar($0)) })
    static let valueEnds = ByteSet(controls + "&#\"'<>\\;")
    private static let segmentEnds = ByteSet("/?")
    private static let itemEnds = ByteSet(controls + "&#\"<>;")
    static let formValueEnds = ByteSet("&\r\n")
    private static let groupEnds = ByteSet(controls + "\"'<>?#\\")

    // MARK: Paths

    /// Redacts secrets after telling parts of a path, such as `/reset/` and `hooks.slack.com/services/`.
    func pathEdits(in bytes: UnsafeRawBufferPointer, at place: @autoclosure () -> String) -> [ByteEdit] {
        guard rules.knowsNames else { return [] }
        var edits: [ByteEdit] = []
        var position = 0
        // Every marker contains a slash, so everything between slashes is skipped.
        while let slash = bytes.firstIndex(ofByte: UInt8(ascii: "/"), from: position) {
            position = slash + 1
            guard PathMarker.table.candidate(in: bytes, from: slash, to: slash + 1) != nil,
                let marker = PathMarker.table.first(
                    in: bytes,
                    at: slash,
                    { index in
                        let marker = PathMarker.all[index]
                        return marker.hasHost(in: bytes, before: slash) ? marker : nil
                    }
                )
            else { continue }
            position = slash + marker.path.count
            guard let range = marker.secret(in: bytes, from: position),
                range.lowerBound >= edits.last?.range.upperBound ?? 0
            else { continue }
            let value = String(decoding: bytes[range], as: UTF8.self)
            if let placeholder = placeholder(for: value, name: marker.name, at: "\(place()) path") {
                edits.append(ByteEdit(range, placeholder))
            }
            // The slash after the secret may begin the next marker.
            position = max(position - 1, range.lowerBound)
        }
        return edits
    }
}

/// A part of a path after which a secret follows.
private struct PathMarker: Sendable {
    /// The text from its first slash.
    let path: [UInt8]
    /// The end of the host before the slash.
    private let host: [UInt8]
    /// The name of the placeholder.
    let name: String
    /// How many segments may be before the secret.
    let skipped: ClosedRange<Int>
    let isSecret: @Sendable (Slice<UnsafeRawBufferPointer>) -> Bool

    func secret(in bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        var start = start
        for number in 0...skipped.upperBound {
            var end = start
            while end < bytes.count, end - start < 2_048, !Self.segmentEnds.contains(bytes[end]) { end += 1 }
            if number >= skipped.lowerBound, isSecret(bytes[start..<end]) { return start..<end }
            guard end < bytes.count, bytes[end] == UInt8(ascii: "/") else { return nil }
            start = end + 1
        }
        return nil
    }

    private static let segmentEnds = ByteSet(
        String((0...0x20 as ClosedRange<UInt8>).map { Character(Unicode.Scalar($0)) }) + "/?#\"'<>\\&;,)"
    )

    private init(
        _ text: String,
        _ name: String,
        skipping skipped: ClosedRange<Int> = 0...0,
        _ isSecret: @escaping @Sendable (Slice<UnsafeRawBufferPointer>) -> Bool
    ) {
        path = Array(text.utf8.drop { $0 != UInt8(ascii: "/") })
        host = Array(text.utf8.prefix { $0 != UInt8(ascii: "/") })
        (self.name, self.skipped, self.isSecret) = (name, skipped, isSecret)
    }

    func hasHost(in bytes: UnsafeRawBufferPointer, before slash: Int) -> Bool {
        slash >= host.count && bytes[slash - host.count..<slash].elementsEqual(host)
    }

    static let all: [PathMarker] =
        [
            PathMarker("hooks.slack.com/services/", "webhook", skipping: 2...2) { $0.count >= 8 },
            PathMarker("hooks.slack.com/workflows/", "webhook", skipping: 2...4) { $0.count >= 20 },
            PathMarker("hooks.slack.com/triggers/", "webhook", skipping: 2...3) { $0.count >= 20 },
            PathMarker("/api/webhooks/", "webhook", skipping: 1...1) { $0.count >= 32 },
            PathMarker("/IncomingWebhook/", "webhook") { $0.count >= 32 },
            PathMarker("/private-", "private") { ValuePattern.looksGenerated($0) },
            PathMarker("/forecast/", "apiKey") { ValuePattern.looksRandom($0) },
            PathMarker("infura.io/v3/", "apiKey") { $0.count >= 32 },
            PathMarker("alchemy.com/v2/", "apiKey") { $0.count >= 20 },
            PathMarker("exchangerate-api.com/v6/", "apiKey") { $0.count >= 20 },
            PathMarker("/bot", "botToken") { segment in
                let parts = segment.split(separator: UInt8(ascii: ":"))
                return parts.count == 2 && parts[0].count >= 6 && parts[0].allSatisfy(ByteSet.digits.contains)
                    && parts[1].count >= 20
            },
        ]
        + [
            "reset", "reset-password", "reset_password", "resetpassword", "password-reset", "password_reset",
            "passwordreset", "password", "passwords", "verify", "verify-email", "verify_email", "verification",
            "confirm", "confirmation", "confirm-email", "activate", "activation", "invite", "invites",
            "invitation",
            "invitations", "magic", "magic-link", "magiclink", "magic-login", "unlock", "unsubscribe",
            "recover",
            "recovery", "join", "accept", "login", "signin", "sso", "forgot", "forgot-password", "set-password",
            "change-password", "one-time", "otp", "share", "preview-token", "new-password", "private",
        ].map { PathMarker("/\($0)/", "\($0)_token", skipping: 0...1) { ValuePattern.looksGenerated($0) } }
        + [
            "token", "tokens", "webhook", "webhooks", "session", "sessions", "auth", "key", "keys", "apikey",
            "secret",
        ]
        .map { name in
            PathMarker("/\(name)/", name.hasSuffix("s") ? String(name.dropLast()) : name, skipping: 0...1) {
                ValuePattern.looksRandom($0)
            }
        }

    static let table = LiteralTable(all.map(\.path))
}
