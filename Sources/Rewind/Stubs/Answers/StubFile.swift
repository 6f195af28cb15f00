import Foundation

/// A file that a stub answers with.
struct StubFile {
    /// The file.
    let url: URL
    /// The stub.
    let place: StubPlace

    /// Names a file by its URL.
    init(_ url: URL, at place: StubPlace) {
        self.url = url
        self.place = place
    }

    /// Names a file by its path, a relative one from the folder of the source file that the stub stands in.
    init(path: String, at place: StubPlace) {
        let source = URL(fileURLWithPath: "\(place.filePath)")
        self.init(
            URL(fileURLWithPath: path, relativeTo: source.deletingLastPathComponent()).absoluteURL,
            at: place
        )
    }

    /// All its bytes.
    func contents(limit: Int = CassetteLimits.default.maximumSize) throws(StubProblem) -> Data {
        guard url.isFileURL else {
            throw problem("is not on this machine", mend: "Give a file URL, or a path.")
        }
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
        guard status.size <= limit else {
            throw problem("has more than \(limit) bytes", mend: "Answer with a smaller file.")
        }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw problem(
                "cannot be read: \(error.localizedDescription)",
                mend: "Check that this process may read it."
            )
        }
    }

    /// The response that a file of a format holds.
    func response(as format: any CassetteFormat.Type) throws(StubProblem) -> Response {
        let data = try contents()
        let mend = "Mend the file; it has to be \(format.name)."
        guard format.recognizes(data) else { throw problem("is not \(format.name)", mend: mend) }
        do {
            switch try format.read(data).interactions.first?.outcome {
            case .response(let response): return response
            case .unknown(let reason): throw problem("has no response: \(reason)", mend: mend)
            case .failure, nil: throw problem("has no response", mend: mend)
            }
        } catch let problem as StubProblem {
            throw problem
        } catch {
            throw problem("is broken: \(error)", mend: mend)
        }
    }

    /// The stub that a Mocktail file holds.
    func mocktail() throws(StubProblem) -> MocktailFormat.Stub {
        let data = try contents()
        do {
            return try MocktailFormat.stub(data)
        } catch {
            throw problem("is broken: \(error)", mend: "Mend the file; it has to be \(MocktailFormat.name).")
        }
    }

    /// The files of a folder that have an extension, in the order of their names, or the file alone.
    func files(withExtension name: String) throws(StubProblem) -> [StubFile] {
        guard FileStatus(url)?.kind == .folder else { return [self] }
        let names: [String]
        do {
            names = try FileOperations.current.list(url.path)
        } catch {
            throw problem(
                "cannot be looked through: \(error.localizedDescription)",
                mend: "Check that this process may read the folder."
            )
        }
        let files = names.filter { $0.hasSuffix(".\(name)") }.sorted()
        guard !files.isEmpty else {
            throw problem("has no file whose name ends in .\(name)", mend: "Name the folder that has them.")
        }
        return files.map { StubFile(url.appendingPathComponent($0), at: place) }
    }

    private func problem(_ cause: String, mend: String) -> StubProblem {
        .file(url, cause, mend: mend, at: place)
    }
}
