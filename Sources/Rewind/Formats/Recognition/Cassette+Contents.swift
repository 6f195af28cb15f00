import Foundation

extension Cassette {
    private static let formats: [any CassetteFormat.Type] = [HARFormat.self]

    /// Reads a cassette from a file, whatever its format.
    /// - Parameter url: The file.
    /// - Throws: ``CassetteError`` that names the file, the place in it, the cause and what mends it.
    public init(contentsOf url: URL) throws {
        do {
            let data = try Data(contentsOf: url)
            guard !data.isEmpty else { throw CassetteProblem.empty }
            guard let format = Self.formats.first(where: { $0.recognizes(data) }) else {
                throw CassetteProblem.unknownFormat(known: Self.formats.map { $0.name })
            }
            self = try format.read(data)
        } catch let problem as CassetteProblem {
            throw CassetteError(path: url.path, problem: problem)
        } catch {
            throw CassetteError(path: url.path, problem: .unreadable(error.localizedDescription))
        }
    }
}
