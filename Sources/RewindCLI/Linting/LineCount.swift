import Foundation

/// Counts the lines of a text, from one place to the next.
struct LineCount {
    private let data: Data
    private var position: Int
    private var line = 1

    /// Begins at the start of a text.
    init(_ data: Data) {
        self.data = data
        position = data.startIndex
    }

    /// The line of a place, counted from one; places come in order.
    mutating func line(of place: Int) -> Int {
        guard place > position, place <= data.endIndex else { return line }
        line += data[position..<place].withUnsafeBytes { bytes in bytes.count { $0 == UInt8(ascii: "\n") } }
        position = place
        return line
    }
}
