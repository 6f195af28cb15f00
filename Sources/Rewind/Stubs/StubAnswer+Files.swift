import Foundation

extension StubAnswer {
    /// A response with the bytes of a file, which is read here and now.
    ///
    /// ```swift
    /// .file("Fixtures/users.json")
    /// ```
    /// - Parameters:
    ///   - path: The path of the file; a relative one begins at the folder of the source file that has the stub.
    ///   - contentType: The `Content-Type`, unless the header fields have one; by default by the file's extension.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added where there is none.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func file(
        _ path: String,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        file(StubFile(path: path, at: StubPlace(fileID, filePath, line)), contentType, status, headers)
    }

    /// A response with the bytes of a file, which is read here and now.
    /// - Parameters:
    ///   - url: The file, such as one of `Bundle.module`.
    ///   - contentType: The `Content-Type`, unless the header fields have one; by default by the file's extension.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added where there is none.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func file(
        _ url: URL,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        file(StubFile(url, at: StubPlace(fileID, filePath, line)), contentType, status, headers)
    }

    private static func file(_ file: StubFile, _ contentType: String?, _ status: Int, _ headers: HeaderList)
        -> StubAnswer
    {
        do {
            let type = contentType ?? FileMediaType.of(file.url)
            let response = Response(status: status, headers: headers, try file.contents(), type)
            return StubAnswer(response, at: file.place)
        } catch { return StubAnswer(error) }
    }

    /// The response of a Mocktail file, such as `login.tail`; the stub's condition replaces its method and URL.
    /// - Parameters:
    ///   - path: The path of the file; a relative one begins at the folder of the source file that has the stub.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func mocktail(
        _ path: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        dump(StubFile(path: path, at: StubPlace(fileID, filePath, line)), MocktailFormat.self)
    }

    /// The response of a Mocktail file, such as `login.tail`; the stub's condition replaces its method and URL.
    /// - Parameters:
    ///   - url: The file, such as one of `Bundle.module`.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func mocktail(
        _ url: URL,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        dump(StubFile(url, at: StubPlace(fileID, filePath, line)), MocktailFormat.self)
    }

    /// The response that `curl -is URL > FILE` printed.
    /// - Parameters:
    ///   - path: The path of the file; a relative one begins at the folder of the source file that has the stub.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func curlDump(
        _ path: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        dump(StubFile(path: path, at: StubPlace(fileID, filePath, line)), CurlFormat.self)
    }

    /// The response that `curl -is URL > FILE` printed.
    /// - Parameters:
    ///   - url: The file, such as one of `Bundle.module`.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func curlDump(
        _ url: URL,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        dump(StubFile(url, at: StubPlace(fileID, filePath, line)), CurlFormat.self)
    }

    private static func dump(_ file: StubFile, _ format: any CassetteFormat.Type) -> StubAnswer {
        do {
            return StubAnswer(try file.response(as: format), at: file.place)
        } catch { return StubAnswer(error) }
    }
}

struct StubFile {
    let url: URL
    let place: StubPlace

    init(_ url: URL, at place: StubPlace) {
        self.url = url
        self.place = place
    }

    /// A relative path starts at the folder of the stub's source file.
    init(path: String, at place: StubPlace) {
        let folder = URL(fileURLWithPath: "\(place.filePath)").deletingLastPathComponent()
        self.init(URL(fileURLWithPath: path, relativeTo: folder).absoluteURL, at: place)
    }

    func contents(limit: Int = CassetteLimits.default.maximumSize) throws(StubProblem) -> Data {
        guard url.isFileURL
        else { throw problem("is not on this machine", mend: "Give a file URL, or a path.") }
        guard let status = FileStatus(url) else {
            throw problem(
                "is not there",
                mend:
                    "Check its name. A relative path begins at the folder of the source file that has the stub; where the"
                    + " sources are not at hand, as on a device, name the file by its URL in a bundle."
            )
        }
        guard status.kind != .folder else { throw problem("is a folder", mend: "Name a file in it.") }
        // Reading a device or a pipe may never end.
        guard status.kind == .file else { throw problem("is no file", mend: "Name a file.") }
        guard status.size <= limit
        else { throw problem("has more than \(limit) bytes", mend: "Answer with a smaller file.") }
        do {
            return try Data(contentsOf: url)
        } catch {
            let cause = "cannot be read: \(error.localizedDescription)"
            throw problem(cause, mend: "Check that this process may read it.")
        }
    }

    func response(as format: any CassetteFormat.Type) throws(StubProblem) -> Response {
        let data = try contents()
        let mend = "Mend the file; it has to be \(format.name)."
        guard format.recognizes(data) else { throw problem("is not \(format.name)", mend: mend) }
        let cassette: Cassette
        do {
            cassette = try format.read(data)
        } catch { throw problem("is broken: \(error)", mend: mend) }
        switch cassette.interactions.first?.outcome {
        case .response(let response): return response
        case .unknown(let reason): throw problem("has no response: \(reason)", mend: mend)
        case .failure, nil: throw problem("has no response", mend: mend)
        }
    }

    func mocktail() throws(StubProblem) -> MocktailFormat.Stub {
        let data = try contents()
        do {
            return try MocktailFormat.stub(data)
        } catch {
            throw problem("is broken: \(error)", mend: "Mend the file; it has to be \(MocktailFormat.name).")
        }
    }

    /// A folder's files by name, or the file alone.
    func files(withExtension name: String) throws(StubProblem) -> [StubFile] {
        guard FileStatus(url)?.kind == .folder else { return [self] }
        let names: [String]
        do {
            names = try FileOperations.current.list(url.path)
        } catch {
            let cause = "cannot be looked through: \(error.localizedDescription)"
            throw problem(cause, mend: "Check that this process may read the folder.")
        }
        let files = names.filter { $0.hasSuffix(".\(name)") }.sorted()
        guard !files.isEmpty else {
            throw problem("has no file whose name ends in .\(name)", mend: "Name the folder that has them.")
        }
        return files.map { StubFile(url.appendingPathComponent($0), at: place) }
    }

    private func problem(_ cause: String, mend: String) -> StubProblem {
        StubProblem("the file \(url.isFileURL ? url.path : url.absoluteString) \(cause)", mend: mend, at: place)
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
        "js": "text/javascript; charset=utf-8", "json": "application/json", "jsonld": "application/ld+json",
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
