/// The order of names in which numbers count by their value, so that `t2` comes before `t10`.
enum NaturalOrder {
    static func areInOrder(_ left: String, _ right: String) -> Bool {
        let order = compare(Array(left.utf8), Array(right.utf8))
        return order == 0 ? left < right : order < 0
    }

    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (first, second) = (left[...], right[...])
        while let a = first.first, let b = second.first {
            if isDigit(a), isDigit(b) {
                let order = compareNumbers(number(&first), number(&second))
                if order != 0 { return order }
            } else if a != b {
                return a < b ? -1 : 1
            } else {
                first.removeFirst()
                second.removeFirst()
            }
        }
        return first.count - second.count
    }

    private static func compareNumbers(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        if left.count != right.count { return left.count - right.count }
        if left == right { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    /// Removes a number from the beginning of the text, and returns its digits without leading zeros.
    private static func number(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = text.prefix(while: isDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
