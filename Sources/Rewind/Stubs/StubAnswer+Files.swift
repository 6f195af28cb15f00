import Foundation

extension StubAnswer {
    /// Answers with the contents of a file, which is read when the stub is declared.
    ///
    /// ```swift
    /// .file("Fixtures/users.json")
    /// ```
    /// - Parameters:
    ///   - path: The path of the file. A relative path begins at the folder of the source file that declares the stub.
    ///   - contentType: The `Content-Type`, unless `headers` has one. The default follows from the file's extension.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added if there is none.
    /// - Returns: The answer.
    public static func file(
        _ path: String,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        StubAnswer(.file(.path(path), .contents(contentType, status, headers)))
    }

    /// Answers with the contents of a file, which is read when the stub is declared.
    /// - Parameters:
    ///   - url: The URL of the file, for example from `Bundle.module`.
    ///   - contentType: The `Content-Type`, unless `headers` has one. The default follows from the file's extension.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added if there is none.
    /// - Returns: The answer.
    public static func file(
        _ url: URL,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:]
    ) -> StubAnswer {
        StubAnswer(.file(.url(url), .contents(contentType, status, headers)))
    }

    /// Answers with the response in a Mocktail file, such as `login.tail`.
    ///
    /// The stub's condition replaces the method and the URL in the file.
    /// - Parameter path: The path of the file. A relative path begins at the folder of the source file that declares the stub.
    /// - Returns: The answer.
    public static func mocktail(_ path: String) -> StubAnswer {
        StubAnswer(.file(.path(path), .message(MocktailFormat.self)))
    }

    /// Answers with a response that `curl -is URL > FILE` saved.
    /// - Parameter path: The path of the file. A relative path begins at the folder of the source file that declares the stub.
    /// - Returns: The answer.
    public static func curlDump(_ path: String) -> StubAnswer {
        StubAnswer(.file(.path(path), .message(CurlDump.self)))
    }
}

extension StubAnswer {
    /// The file that a stub names.
    enum FileName: Sendable {
        /// A relative path begins at the folder of the stub's source file.
        case path(String)
        case url(URL)
    }

    /// How a stub reads its file.
    enum FileContent: Sendable {
        case contents(_ contentType: String?, _ status: Int, _ headers: HeaderList)
        case message(any CassetteReader.Type)
    }

    /// The answer with its files read. Relative paths begin at the stub's source file, which only the stub knows.
    func readingFiles(at location: Stub.SourceLocation) -> StubAnswer {
        guard namesFiles else { return self }
        var answer = self
        switch source {
        case .file(let name, let content):
            do {
                let file = StubFile(name, at: location)
                let read = StubAnswer(try file.response(content))
                answer.source = read.source
                answer.problem = answer.problem ?? read.problem
            } catch { answer.problem = answer.problem ?? error }
        case .sequence(let answers, let end):
            let answers = answers.map { $0.readingFiles(at: location) }
            answer.source = .sequence(answers, then: end)
            answer.problem = answer.problem ?? answers.lazy.compactMap(\.problem).first
        case .written, .recorded, .passthrough: break
        }
        return answer
    }
}

struct StubFile {
    let url: URL

    init(_ name: StubAnswer.FileName, at location: Stub.SourceLocation) {
        switch name {
        case .path(let path):
            let folder = URL(fileURLWithPath: location.filePath).deletingLastPathComponent()
            url = URL(fileURLWithPath: path, relativeTo: folder).absoluteURL
        case .url(let url): self.url = url
        }
    }

    private init(_ url: URL) { self.url = url }

    fileprivate func response(_ content: StubAnswer.FileContent) throws(StubAnswer.Problem)
        -> Interaction.Response
    {
        switch content {
        case .contents(let contentType, let status, let headers):
            let type = contentType ?? FileMediaType.of(url)
            return Interaction.Response(status: status, headers: headers, try contents(), type)
        case .message(let format): return try response(as: format)
        }
    }

    func contents(limit: Int = CassetteLimits.default.maximumSize) throws(StubAnswer.Problem) -> Data {
        guard url.isFileURL else { throw problem("is not on this machine", "Use a path or a file URL.") }
        guard let status = FileStatus(url) else {
            throw problem(
                "does not exist",
                "Check the name. A relative path begins at the folder of the source file that declares the stub. On a"
                    + " device, where the sources are missing, use the URL of a file in a bundle."
            )
        }
        guard status.kind != .folder else { throw problem("is a folder", "Name a file in it.") }
        // Reading a device or a pipe may never end.
        guard status.kind == .file else { throw problem("is not a regular file", "Name a regular file.") }
        guard status.size <= limit
        else { throw problem("is larger than \(limit) bytes", "Answer with a smaller file.") }
        do {
            return try Data(contentsOf: url)
        } catch {
            let cause = "cannot be read: \(SystemCallError.cause(of: error))"
            throw problem(cause, "Check that this process may read it.")
        }
    }

    func response(as format: any CassetteReader.Type) throws(StubAnswer.Problem) -> Interaction.Response {
        let data = try contents()
        let suggestion = "Fix the file. Its format must be \(format.name)."
        guard format.recognizes(data) else { throw problem("is not in the format \(format.name)", suggestion) }
        let cassette: Cassette
        do {
            cassette = try format.read(data)
        } catch { throw problem("is invalid: \(error)", suggestion) }
        switch cassette.interactions.first?.outcome {
        case .response(let response): return response
        case .unknown(let reason): throw problem("has no response: \(reason)", suggestion)
        case .failure, nil: throw problem("has no response", suggestion)
        }
    }

    func mocktail() throws(StubAnswer.Problem) -> MocktailFormat.Stub {
        let data = try contents()
        do {
            return try MocktailFormat.stub(data)
        } catch {
            throw problem("is invalid: \(error)", "Fix the file. Its format must be \(MocktailFormat.name).")
        }
    }

    /// A folder's files by name, or the file alone.
    func files(withExtension name: String) throws(StubAnswer.Problem) -> [StubFile] {
        guard FileStatus(url)?.kind == .folder else { return [self] }
        let names: [String]
        do {
            names = try FileOperations.current.list(url.path)
        } catch {
            let cause = "cannot be listed: \(SystemCallError.cause(of: error))"
            throw problem(cause, "Check that this process may read the folder.")
        }
        let files = names.filter { $0.hasSuffix(".\(name)") }.sorted()
        guard !files.isEmpty
        else { throw problem("contains no .\(name) file", "Name the folder that contains the files.") }
        return files.map { StubFile(url.appendingPathComponent($0)) }
    }

    private func problem(_ cause: String, _ suggestion: String) -> StubAnswer.Problem {
        let name = url.isFileURL ? url.path : url.absoluteString
        return StubAnswer.Problem("the file \(name) \(cause)", recoverySuggestion: suggestion)
    }
}

enum FileMediaType {
    /// `application/octet-stream` for an unknown extension.
    static func of(_ url: URL) -> String { types[url.pathExtension.lowercased()] ?? "application/octet-stream" }

    /// Text is UTF-8, as people write it.
    private static let types = [
        "aac": "audio/aac", "avif": "image/avif", "bmp": "image/bmp", "css": "text/css; charset=utf-8",
        "csv": "text/csv; charset=utf-8", "geojson": "application/geo+json", "gif": "image/gif",
        "gz": "application/gzip", "heic": "image/heic", "heif": "image/heif", "htm": "text/html; charset=utf-8",
        "html": "text/html; charset=utf-8", "ico": "image/vnd.microsoft.icon",
        "ics": "text/calendar; charset=utf-8", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8", "json": "application/json; charset=utf-8",
        "jsonld": "application/ld+json",
        "m3u8": "application/vnd.apple.mpegurl", "m4a": "audio/mp4", "md": "text/markdown; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "mov": "video/quicktime", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "mpeg": "video/mpeg", "ogg": "audio/ogg", "otf": "font/otf",
        "pdf": "application/pdf", "png": "image/png", "rtf": "application/rtf",
        "svg": "image/svg+xml", "tar": "application/x-tar", "tiff": "image/tiff", "ttf": "font/ttf",
        "txt": "text/plain; charset=utf-8", "wasm": "application/wasm", "wav": "audio/wav",
        "webm": "video/webm", "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
        "xhtml": "application/xhtml+xml", "xml": "application/xml", "yaml": "application/yaml",
        "yml": "application/yaml", "zip": "application/zip",
    ]
}
