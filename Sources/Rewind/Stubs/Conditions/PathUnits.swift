/// A path of normalised encoding in units that cannot be cut: a byte, or a triplet.
struct PathUnits {
    private(set) var values: [UInt16] = []

    init(_ path: String) {
        var rest = path.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(Substring(rest.prefix(2)), radix: 16)
            {
                values.append(0x100 | UInt16(value))
                rest = rest.dropFirst(2)
            } else {
                values.append(UInt16(byte))
            }
        }
    }
}
