import Foundation

/// Names of one document that were found harmless, known by where each stood first.
///
/// The names of JSON come again and again, and to compare bytes is quicker than to make text of them.
struct HarmlessNames {
    private var places: [Range<Int>?] = []

    /// Whether the name at a place was entered before.
    func contains(_ name: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard !places.isEmpty, let place = places[slot(name, bytes)], place.count == name.count else {
            return false
        }
        return bytes[place].elementsEqual(bytes[name])
    }

    /// Enters the name at a place.
    mutating func insert(_ name: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        if places.isEmpty { places = Array(repeating: nil, count: 64) }
        places[slot(name, bytes)] = name
    }

    private func slot(_ name: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Int {
        guard let first = bytes[name].first, let last = bytes[name].last else { return 0 }
        return (Int(first) &* 7 &+ Int(last) &* 3 &+ name.count) & 63
    }
}
