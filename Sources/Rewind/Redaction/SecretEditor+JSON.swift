import Foundation

extension SecretEditor {
    /// Redacts members of JSON, and of text that resembles JSON. Every other byte stays.
    func memberEdits(in bytes: UnsafeRawBufferPointer, at place: String, depth: Int) -> [ByteEdit] {
        guard bytes.firstIndex(ofByte: UInt8(ascii: "\""), from: 0) != nil else { return [] }
        var search = MemberSearch(editor: self, bytes: bytes, place: place, depth: depth)
        return search.edits()
    }
}

/// Finds the secrets in one JSON text.
private struct MemberSearch {
    typealias Scanner = JSONScalarScanner

    let editor: SecretEditor
    let bytes: UnsafeRawBufferPointer
    let place: String
    let depth: Int
    private let names: MemberNames
    private var found: [ByteEdit] = []
    /// Values whose secrecy depends on other members of their objects.
    private var waiting: [(scalar: Scanner.Scalar, indexes: [Int])] = []

    init(editor: SecretEditor, bytes: UnsafeRawBufferPointer, place: String, depth: Int) {
        (self.editor, self.bytes, self.place, self.depth) = (editor, bytes, place, depth)
        names = MemberNames(editor.rules, host: editor.host)
    }

    mutating func edits() -> [ByteEdit] {
        let hasPaths = editor.rules.hasPaths
        var scanner = Scanner(bytes) { [names] in names.number(of: $0) }
        while let event = scanner.next() {
            switch event {
            case .scalar(let scalar):
                // Most values are not secret and contain no other text, so this check is all they cost.
                let isTold = hasPaths || scalar.role >= 0 && mayBeNamed(scalar)
                if !isTold, scalar.outerRole < 0 || !isSecretAround(scalar, scanner), !mayHoldOthers(scalar) {
                    continue
                }
                read(scalar, scanner)
            case .objectEnd(let object):
                guard !waiting.isEmpty, waiting[waiting.count - 1].scalar.object == object else { continue }
                let surroundings = Surroundings(scanner, names)
                while let last = waiting.last, last.scalar.object == object {
                    waiting.removeLast()
                    resolve(last.scalar, beside: surroundings, scanner) { [place] in
                        "\(place) \(scanner.place(of: last.scalar, at: last.indexes))"
                    }
                }
            }
        }
        return found
    }

    /// What the members of an object say about each other.
    private struct Surroundings {
        /// The value of the member that names another one.
        let label: String?
        /// The normalized names of the members.
        let names: Set<String>

        init(_ scanner: Scanner, _ meanings: MemberNames) {
            let members = scanner.endedMembers
            label =
                members.lazy.compactMap { member -> String? in
                    guard meanings[member.role]?.role == .label, let text = member.text else {
                        return nil
                    }
                    return scanner.text(of: text)
                }.first
            names = Set(members.map { SecretNames.normalized(scanner.text(of: $0.name)) })
        }
    }

    private func mayBeNamed(_ scalar: Scanner.Scalar) -> Bool {
        guard let meaning = names[scalar.role] else { return false }
        return meaning.role != .description && (meaning.role != .label || meaning.context != nil)
    }

    private func isSecretAround(_ scalar: Scanner.Scalar, _ scanner: Scanner) -> Bool {
        guard let outer = scanner.member(scalar.outer), let role = names[scalar.outerRole]?.role else {
            return false
        }
        // Signatures of packages are public, and so are the keys beside them.
        if role == .likely, bytes[outer.name].starts(with: "signature".utf8) { return false }
        return role == .certain || role == .likely || role == .always
    }

    private mutating func read(_ scalar: Scanner.Scalar, _ scanner: Scanner) {
        let path = { [place] in "\(place) \(scanner.place)" }
        if editor.rules.hasPaths, editor.rules.isSecretPlace(scanner.place, host: editor.host) {
            add(scalar, SecretField(named: scalar, scanner, role: .always), at: path)
        } else if let meaning = names[scalar.role], meaning.role == .value || meaning.context != nil {
            waiting.append((scalar, scanner.indexes))
        } else {
            add(scalar, field(of: scalar, scanner), at: path)
        }
    }

    /// The field of a value by its own name, or by that of the object around it.
    private func field(of scalar: Scanner.Scalar, _ scanner: Scanner) -> SecretField {
        let outer = names[scalar.outerRole]?.role
        if let own = names[scalar.role], own.role != .value {
            return SecretField(named: scalar, scanner, own, outer: outer, message: editor.message)
        }
        // An object under a secret name: values are secret under names such as `value`, or by their characters.
        guard let around = scanner.member(scalar.outer), let meaning = names[scalar.outerRole],
            isSecretAround(scalar, scanner)
        else {
            return SecretField(named: scalar, scanner, nil, outer: outer, message: editor.message)
        }
        let isValue = names[scalar.role]?.role == .value
        var role: NameRole = isValue || meaning.role == .always ? meaning.role : .likely
        let outerName = SecretNames.normalized(scanner.text(of: around.name))
        if isValue, ["credential", "credentials", "auth", "secret", "secrets"].contains(outerName) {
            role = .certain
        }
        return SecretField(
            name: scanner.text(of: around.name),
            meaning: SecretRules.Meaning(role: role),
            isMachineText: editor.message == .request
        )
    }

    private mutating func resolve(
        _ scalar: Scanner.Scalar,
        beside surroundings: Surroundings,
        _ scanner: Scanner,
        at path: () -> String
    ) {
        guard names[scalar.role]?.role == .value else {
            var field = field(of: scalar, scanner)
            field.siblings = surroundings.names
            return add(scalar, field, at: path)
        }
        guard let label = surroundings.label,
            let named = editor.rules.meaning(ofField: label, host: editor.host)
        else {
            return add(scalar, field(of: scalar, scanner), at: path)
        }
        let outer = names[scalar.outerRole]?.role
        let isText = editor.message == .response
        add(scalar, SecretField(name: label, meaning: named, outer: outer, isMachineText: !isText), at: path)
    }

    private mutating func add(_ scalar: Scanner.Scalar, _ field: SecretField, at path: () -> String) {
        guard scalar.isString else {
            guard field.isSecretNumber(bytes[scalar.range]), !bytes[scalar.range].elementsEqual("0".utf8) else {
                return
            }
            editor.note(path())
            return found.append(ByteEdit(scalar.range, "0"))
        }
        found += editor.edits(of: scalar.range, in: bytes, escapedBy: .json, field, at: path, depth: depth)
    }

    /// Whether a string may contain text of another format that the outer text does not show.
    private func mayHoldOthers(_ scalar: Scanner.Scalar) -> Bool {
        guard scalar.isString, scalar.range.count >= 8 else { return false }
        guard let text = bytes.baseAddress else { return false }
        let (start, count) = (text + scalar.range.lowerBound, scalar.range.count)
        return Self.encodedLetters.contains(start.load(as: UInt8.self))
            || memchr(start, Int32(UInt8(ascii: "\\")), count) != nil
            || memchr(start, Int32(UInt8(ascii: "<")), count) != nil
    }

    /// The first letters of text in base64 that is decoded.
    private static let encodedLetters = ByteSet("eWPcdYZaBbRVQ")
}

extension SecretField {
    fileprivate init(
        named scalar: MemberSearch.Scanner.Scalar,
        _ scanner: MemberSearch.Scanner,
        _ meaning: SecretRules.Meaning?,
        outer: NameRole?,
        message: MessageKind
    ) {
        self.init(
            name: meaning == nil ? "" : scanner.member(scalar.member).map { scanner.text(of: $0.name) } ?? "",
            meaning: meaning,
            outer: outer,
            isMachineText: message == .request
        )
    }

    fileprivate init(named scalar: MemberSearch.Scanner.Scalar, _ scanner: MemberSearch.Scanner, role: NameRole)
    {
        self.init(
            name: scanner.member(scalar.member).map { scanner.text(of: $0.name) } ?? "secret",
            meaning: SecretRules.Meaning(role: role),
            isMachineText: true
        )
    }
}
