import Foundation

/// The source files of a project, in which tests are looked up.
package struct TestSources: Sendable {
    private let root: URL

    package init(_ root: URL) { self.root = root }

    /// The line of a test, or of its class if the method is inherited; `nil` if no source declares the type.
    ///
    /// Of several types with the same name, the one in a folder with the module's name counts.
    package func place(of method: String, in type: String, module: String?) -> (file: String, line: Int)? {
        let type = Self.last(of: type)
        let found = sources(mentioning: type).map { (url: $0.url, places: Places($0.text, of: type, method)) }
        let own = found.filter { isOf(module, $0.url) && $0.places.type != nil }
        let candidates = own.isEmpty ? found : found.filter { isOf(module, $0.url) }
        if let test = candidates.first(where: { $0.places.method != nil }) {
            return test.places.method.map { (test.url.path, $0) }
        }
        let declaring = candidates.first { $0.places.type != nil }
        return declaring.flatMap { file in file.places.type.map { (file.url.path, $0) } }
    }

    /// Whether several files declare a type or are named after it.
    package func hasSeveral(_ type: String) -> Bool {
        let type = Self.last(of: type)
        let declaring = sources(mentioning: type).filter { Places($0.text, of: type, "").type != nil }
        let named = files.filter { $0.lastPathComponent == "\(type).swift" }
        return Set(declaring.map(\.url) + named).count > 1
    }

    private static func last(of type: String) -> String {
        type.split(separator: ".").last.map(String.init) ?? type
    }

    private func isOf(_ module: String?, _ file: URL) -> Bool {
        guard let module else { return true }
        let folders = file.pathComponents.dropFirst(root.pathComponents.count).dropLast()
        return folders.contains { String($0.map { $0.isLetter || $0.isNumber ? $0 : "_" }) == module }
    }

    private func sources(mentioning name: String) -> [(url: URL, text: String)] {
        files.compactMap { url in
            guard let text = try? String(contentsOf: url, encoding: .utf8), text.contains(name)
            else { return nil }
            return (url, text)
        }
    }

    /// The Swift files, in an order that does not depend on the file system.
    var files: [URL] {
        var (files, folders): ([URL], [URL]) = ([], [root])
        while let folder = folders.popLast() {
            for name in DirectoryListing.names(in: folder).sorted() where !name.hasPrefix(".") {
                let url = folder.appendingPathComponent(name)
                // A link to a folder may lead back to this one.
                switch FileStatus(url, followsLinks: false)?.kind {
                case .folder where !Self.isForeign(name): folders.append(url)
                case .file where name.hasSuffix(".swift"): files.append(url)
                default: break
                }
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    /// Whether a folder contains dependencies or build products.
    private static func isForeign(_ name: String) -> Bool {
        ProjectRoot.buildFolders.contains(name) || ["Pods", "Carthage", "node_modules"].contains(name)
    }
}

private struct Places {
    private(set) var type: Int?
    private(set) var method: Int?

    /// Finds the lines. Lines that are indented deeper than the declaration of the type belong to it.
    init(_ text: String, of type: String, _ method: String) {
        var indentation: Int?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in zip(1..., lines) {
            let code = line.drop { $0 == " " || $0 == "\t" }
            guard !code.isEmpty, !code.hasPrefix("//") else { continue }
            let depth = line.count - code.count
            let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            if let (keyword, name) = Self.declaration(in: words) {
                if name == type {
                    indentation = depth
                    if keyword != "extension" { self.type = self.type ?? number }
                } else if let around = indentation, depth <= around {
                    indentation = nil
                }
            }
            guard indentation != nil, let position = words.firstIndex(of: "func") else { continue }
            if words[(position + 1)...].first.map(String.init) == method {
                self.method = number
                return
            }
        }
    }

    private static let keywords: Set<Substring> = ["class", "struct", "enum", "actor", "extension", "protocol"]

    private static func declaration(in words: [Substring]) -> (keyword: Substring, name: String)? {
        guard let position = words.firstIndex(where: keywords.contains), position + 1 < words.count,
            words[position + 1].first?.isUppercase ?? false
        else { return nil }
        return (words[position], String(words[position + 1]))
    }
}

/// The class or the suite of a test. The folder of its cassettes is named after it.
package struct TestGroup: Hashable, Sendable {
    package let name: String
    package let module: String

    package init(_ name: String, module: String) {
        self.name = name
        self.module = module
    }

    /// The location of a cassette of the group, in `Cassettes/<Group>`.
    ///
    /// If another module recorded the cassette there, and the project has several groups with that name, the folder is
    /// `Cassettes/<Module>.<Group>`. If there is only one such group, it was moved or its module was renamed.
    ///
    /// A folder that the test names is used unchanged, unless it has the name of the group.
    /// - Throws: ``Stubber/ConfigurationError`` if the name is invalid.
    package func location(of name: String, in directory: URL, _ search: CassetteSearch) throws
        -> CassetteLocation
    {
        let folder = search.reached(directory)
        var location = try CassetteLocation(name: name, in: folder)
        guard folder.directory.lastPathComponent == self.name else { return location }
        let own = CassetteSearch.Found(
            directory: folder.directory.deletingLastPathComponent()
                .appendingPathComponent("\(module).\(self.name)", isDirectory: true),
            isReadOnly: folder.isReadOnly
        )
        var ownLocation = try CassetteLocation(name: name, in: own)
        ownLocation.module = module
        if ownLocation.exists { return ownLocation }
        location.module = module
        guard let recorder = Cassette.recordingModule(of: location.current), recorder != module,
            let root = search.projectRoot, TestSources(root).hasSeveral(self.name)
        else { return location }
        return ownLocation
    }
}
