import Foundation

/// The source files of a project, in which tests are looked up.
package struct TestSources: Sendable {
    private let root: URL
    /// The folder of the test bundle, beside which SwiftPM lists the files of each module.
    private let products: URL?

    package init(_ root: URL, products: URL? = nil) {
        self.root = root
        self.products = products
    }

    /// The line of a test, or of its class if the method is inherited; `nil` if no source declares the type.
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - type: The name of the type, with those of the types around it.
    ///   - module: The module. Its files are those that the build lists; without a list, those in a folder of its name.
    /// - Returns: The path of the file and the line.
    package func place(of method: String, in type: String, module: String?) -> (file: String, line: Int)? {
        let path = type.split(separator: ".").map(String.init)
        guard let name = path.last else { return nil }
        let built = module.flatMap(builtFiles)
        let found = (built ?? files).compactMap { url in
            text(of: url, mentioning: name).map { (url: url, declarations: SourceDeclarations($0)) }
        }
        let isOwn: (URL) -> Bool = { built != nil || isOf(module, $0) }
        let own = found.filter { isOwn($0.url) && $0.declarations.line(ofType: path) != nil }
        let candidates = own.isEmpty ? found : found.filter { isOwn($0.url) }
        for (url, declarations) in candidates {
            if let line = declarations.line(of: method, in: path) { return (url.path, line) }
        }
        for (url, declarations) in candidates {
            if let line = declarations.line(ofType: path) { return (url.path, line) }
        }
        return nil
    }

    /// Whether several files declare a type or are named after it.
    package func hasSeveral(_ type: String) -> Bool { declaring(Self.last(of: type)).count > 1 }

    /// Whether a file declares a type or is named after it.
    package func declares(_ type: String) -> Bool { !declaring(Self.last(of: type)).isEmpty }

    private func declaring(_ type: String) -> Set<URL> {
        let declaring = files.filter { url in
            guard let text = text(of: url, mentioning: type) else { return false }
            return SourceDeclarations(text).declares(type)
        }
        return Set(declaring + files.filter { $0.lastPathComponent == "\(type).swift" })
    }

    private static func last(of type: String) -> String {
        type.split(separator: ".").last.map(String.init) ?? type
    }

    private func isOf(_ module: String?, _ file: URL) -> Bool {
        guard let module else { return true }
        let folders = file.pathComponents.dropFirst(root.pathComponents.count).dropLast()
        return folders.contains { String($0.map { $0.isLetter || $0.isNumber ? $0 : "_" }) == module }
    }

    private func text(of url: URL, mentioning name: String) -> String? {
        guard let text = try? String(contentsOf: url, encoding: .utf8), text.contains(name) else { return nil }
        return text
    }

    /// The files from which SwiftPM built a module; `nil` if the list is not beside the test bundle.
    private func builtFiles(of module: String) -> [URL]? {
        guard let products else { return nil }
        for folder in [products, products.deletingLastPathComponent()] {
            let list = folder.appendingPathComponent("\(module).build/output-file-map.json")
            guard let data = try? Data(contentsOf: list), let map = try? JSON(parsing: data).objectValue
            else { continue }
            let files = map.members.map(\.name).filter { $0.hasSuffix(".swift") }.sorted()
            // The build folder may have been copied from another place.
            let existing = files.map { URL(fileURLWithPath: $0) }.filter { FileStatus($0) != nil }
            if !existing.isEmpty { return existing }
        }
        return nil
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
