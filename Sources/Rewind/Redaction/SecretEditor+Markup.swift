import Foundation

extension SecretEditor {
    /// Redacts elements and attributes of XML and HTML by their local names.
    func markupEdits(in bytes: UnsafeRawBufferPointer, at place: String, depth: Int) -> [ByteEdit] {
        // Strings of JSON are read one by one.
        guard !bytes.beginLikeJSON, bytes.firstIndex(ofByte: UInt8(ascii: "<"), from: 0) != nil else {
            return []
        }
        var search = MarkupSearch(editor: self, bytes: bytes, place: place, depth: depth)
        search.find()
        return search.found
    }
}

/// Finds the secrets in one text of XML or HTML.
private struct MarkupSearch {
    private struct MarkupElement {
        let name: String
        let meaning: SecretRules.Meaning?
        /// The name that an attribute, or an element before this one, gives to the value.
        let label: String?
        var runs: [(content: Range<Int>, whole: Range<Int>)] = []
        var hasElements = false
        /// The text of the last element inside, if it names the next one.
        var nextLabel: String?
        var siblings: Set<String> = []
    }

    let editor: SecretEditor
    let bytes: UnsafeRawBufferPointer
    let place: String
    let depth: Int
    private(set) var found: [ByteEdit] = []
    private var open: [MarkupElement] = []

    init(editor: SecretEditor, bytes: UnsafeRawBufferPointer, place: String, depth: Int) {
        (self.editor, self.bytes, self.place, self.depth) = (editor, bytes, place, depth)
    }

    mutating func find() {
        for event in MarkupScanner(bytes) {
            switch event {
            case .start(let name, let attributes, let isClosed):
                if attributes.isEmpty, isPlaceholder(name) { continue }
                let label = read(attributes, of: name)
                start(name, label: label)
                if isClosed || isVoid(name) { close() }
            case .end(let name): end(name)
            case .text(let range): addText(range, range)
            case .characterData(let range, let section): addText(range, section)
            case .comment(let range): addComment(range)
            }
        }
        while !open.isEmpty { close() }
    }

    /// Whether a tag is a placeholder that the user chose, such as `<API_KEY>`.
    private func isPlaceholder(_ name: Range<Int>) -> Bool {
        guard editor.rules.meaning(ofField: localName(name), host: editor.host) != nil else { return false }
        return editor.isPlaceholder("<" + String(decoding: bytes[name], as: UTF8.self) + ">")
    }

    private static let deepest = 256

    private func isVoid(_ name: Range<Int>) -> Bool {
        Self.voidNames.contains(String(decoding: bytes[name], as: UTF8.self).lowercased())
    }

    /// Elements of HTML that have no end tag.
    private static let voidNames: Set<String> = [
        "input", "meta", "br", "hr", "img", "link", "area", "base", "col",
    ]

    private mutating func start(_ range: Range<Int>, label: String?) {
        let name = localName(range)
        let inherited = open.last.flatMap { $0.nextLabel ?? ($0.hasElements ? nil : $0.label) }
        if !open.isEmpty {
            open[open.count - 1].hasElements = true
            open[open.count - 1].nextLabel = nil
            if open[open.count - 1].siblings.count < 256 {
                open[open.count - 1].siblings.insert(SecretNames.normalized(name))
            }
        }
        guard open.count < Self.deepest else { return }
        let meaning = editor.rules.meaning(ofField: name, host: editor.host)
        open.append(MarkupElement(name: name, meaning: meaning, label: label ?? inherited))
    }

    private mutating func end(_ range: Range<Int>) {
        let name = localName(range)
        guard let index = open.suffix(64).lastIndex(where: { $0.name == name }) else { return }
        while open.count > index { close() }
    }

    private mutating func addText(_ content: Range<Int>, _ whole: Range<Int>) {
        guard !open.isEmpty else { return }
        open[open.count - 1].runs.append((content, whole))
    }

    private func localName(_ range: Range<Int>) -> String {
        let name = bytes[range].split(separator: UInt8(ascii: ":")).last ?? bytes[range]
        return String(decoding: name, as: UTF8.self)
    }

    // MARK: Elements

    /// Closes the innermost element.
    private mutating func close() {
        guard let element = open.popLast() else { return }
        guard !element.hasElements else {
            for run in element.runs { addInner(run.content) }
            return
        }
        let runs = element.runs.filter { !bytes[$0.content].allSatisfy { $0 <= 0x20 } }
        guard let first = runs.first, let last = runs.last else { return }
        let value = runs.flatMap { EscapeLayer.html.decoded($0.content, of: bytes) }
        if element.meaning?.role == .label, !open.isEmpty {
            open[open.count - 1].nextLabel = String(decoding: value.prefix(96), as: UTF8.self)
        }
        let trimmed = value.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        let field = field(of: element)
        guard field.isSecret(Array(trimmed)) else {
            for run in runs { addInner(run.content) }
            return
        }
        let range =
            runs.count == 1 ? trim(first.content) : first.whole.lowerBound..<last.whole.upperBound
        let text = String(decoding: trimmed, as: UTF8.self)
        let path = "\(place) element \(element.name)"
        if let placeholder = editor.placeholder(for: text, name: field.name, at: path) {
            found.append(ByteEdit(range, placeholder))
        }
    }

    /// The field of an element by its label, its own name, or a secret name around it.
    private func field(of element: MarkupElement) -> SecretField {
        let isMachineText = editor.message == .request
        if let label = element.label, let meaning = editor.rules.meaning(ofField: label, host: editor.host) {
            return SecretField(name: label, meaning: meaning, isMachineText: isMachineText)
        }
        let outer = open.last { $0.meaning.map { Self.naming.contains($0.role) } ?? false }
        if let meaning = element.meaning, meaning.role != .value {
            var field = SecretField(
                name: element.name,
                meaning: meaning,
                outer: outer?.meaning?.role,
                isMachineText: isMachineText
            )
            field.siblings = open.last?.siblings ?? []
            return field
        }
        guard let outer, let meaning = outer.meaning, meaning.role != .description else {
            return SecretField(name: element.name, meaning: nil, isMachineText: isMachineText)
        }
        let role: NameRole = element.meaning?.role == .value || meaning.role == .always ? meaning.role : .likely
        return SecretField(name: outer.name, meaning: .init(role: role), isMachineText: isMachineText)
    }

    private static let naming: [NameRole] = [.always, .certain, .likely, .description]

    private func trim(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, bytes[lower] <= 0x20 { lower += 1 }
        while upper > lower, bytes[upper - 1] <= 0x20 { upper -= 1 }
        return lower..<upper
    }

    /// Redacts texts inside a text or an attribute.
    private mutating func addInner(_ range: Range<Int>) {
        let path = { [place] in place }
        found += editor.edits(of: trim(range), in: bytes, escapedBy: .html, nil, at: path, depth: depth)
    }

    /// Redacts elements that are commented out.
    private mutating func addComment(_ range: Range<Int>) {
        let text = UnsafeRawBufferPointer(rebasing: bytes[range])
        found += editor.markupEdits(in: text, at: place, depth: depth + 1).map { edit in
            let shifted = edit.range.lowerBound + range.lowerBound..<edit.range.upperBound + range.lowerBound
            return ByteEdit(range: shifted, replacement: edit.replacement)
        }
    }

    // MARK: Attributes

    /// Redacts the attributes of an element, and returns the name that they give to its text.
    private mutating func read(_ attributes: [MarkupScanner.Attribute], of element: Range<Int>) -> String? {
        var label: String?
        var value: MarkupScanner.Attribute?
        var type = ""
        for attribute in attributes {
            let name = localName(attribute.name).lowercased()
            switch name {
            case "name", "key", "property", "id", "parameter":
                if label == nil || name == "name" {
                    label = String(decoding: bytes[attribute.value], as: UTF8.self)
                }
            case "value", "content", "default": value = attribute
            case "type":
                type = String(decoding: bytes[attribute.value].prefix(16), as: UTF8.self).lowercased()
            default: break
            }
            let meaning = editor.rules.meaning(ofField: name, host: editor.host)
            if meaning?.role != .value, name != "value" {
                add(
                    attribute,
                    SecretField(name: name, meaning: meaning, isMachineText: editor.message == .request)
                )
            }
        }
        guard let value else { return label }
        let named = label.flatMap { editor.rules.meaning(ofField: $0, host: editor.host) }
        let own = editor.rules.meaning(ofField: localName(element), host: editor.host)
        let isPassword = type == "password"
        var meaning = isPassword ? .init(role: .certain) : named ?? (own?.role == .certain ? own : nil)
        if type == "hidden", meaning?.role == .contextual { meaning = .init(role: .possible) }
        let name = named == nil && own != nil ? localName(element) : label ?? "password"
        let isText = editor.message == .response && !isPassword && type != "hidden"
        add(value, SecretField(name: name, meaning: meaning, isMachineText: !isText))
        return nil
    }

    private mutating func add(_ attribute: MarkupScanner.Attribute, _ field: SecretField) {
        let path = { [place] in "\(place) attribute \(field.name)" }
        found += editor.edits(
            of: attribute.value,
            in: bytes,
            escapedBy: .html,
            field.meaning == nil ? nil : field,
            at: path,
            depth: depth
        )
    }
}
