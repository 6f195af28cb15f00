import Foundation

/// The place of a field: its entry, where that begins, and the names that lead to it.
///
/// It is put into words only where there is an error, for a file has a hundred fields for every entry.
indirect enum FieldPlace {
    case root
    case entry(Int)
    case text(Int, range: Range<Int>, of: Data)
    case member(String, of: FieldPlace)
    case element(Int, of: FieldPlace)

    /// The place in words.
    /// - Parameter line: The line of the field itself, if it is known better than that of its entry.
    /// - Returns: The entry, the line and the path.
    func description(line: Int?) -> String { describe([], line: line) }

    private func describe(_ names: [String], line: Int?) -> String {
        switch self {
        case .member(let name, let outer): outer.describe([name] + names, line: line)
        case .element(let index, let outer): outer.describe(["\(index)"] + names, line: line)
        case .root: Self.joined(line.map { "line \($0)" }, names)
        case .entry(let entry): Self.joined("entry \(entry + 1)" + (line.map { " (line \($0))" } ?? ""), names)
        case .text(let entry, let range, let data):
            Self.joined("entry \(entry + 1) (line \(line ?? Self.line(of: range, in: data)))", names)
        }
    }

    private static func joined(_ start: String?, _ names: [String]) -> String {
        let path = names.isEmpty ? nil : "`\(names.joined(separator: "."))`"
        return [start, path].compactMap { $0 }.joined(separator: ", ")
    }

    private static func line(of text: Range<Int>, in data: Data) -> Int {
        data[data.startIndex..<text.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
    }
}
