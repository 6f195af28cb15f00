/// Decompresses DEFLATE (RFC 1951).
struct Inflation {
    enum Failure: Error { case truncated, invalid, tooLarge }

    private(set) var output: [UInt8] = []
    /// The position after the compressed data; a failure if there is no such position.
    private(set) var end: Result<Int, Failure> = .failure(.invalid)
    private var isTooLarge = false
    private let maximumSize: Int

    init(_ input: ArraySlice<UInt8>, atMost maximumSize: Int) {
        self.maximumSize = maximumSize
        end = input.withUnsafeBytes { bytes in
            var bits = BitReader(bytes)
            if run(&bits) { return .success(input.startIndex + bits.end) }
            return .failure(isTooLarge ? .tooLarge : bits.isExhausted ? .truncated : .invalid)
        }
    }

    private mutating func run(_ bits: inout BitReader) -> Bool {
        while true {
            guard let isLast = bits.read(1), let kind = bits.read(2) else { return false }
            let isRead =
                switch kind {
                case 0: stored(&bits)
                case 1: compressed(&bits, Self.fixedLiterals, Self.fixedDistances)
                case 2: dynamic(&bits)
                default: false
                }
            guard isRead else { return false }
            if isLast == 1 { return true }
        }
    }

    private mutating func stored(_ bits: inout BitReader) -> Bool {
        bits.skipToByte()
        guard let count = bits.read(16), let check = bits.read(16), count == ~check & 0xFFFF,
            hasRoom(for: count)
        else { return false }
        let stored = bits.readBytes(count)
        output.append(contentsOf: stored)
        return stored.count == count
    }

    /// Reads the Huffman codes of a block, which are compressed themselves (section 3.2.7), and then the block.
    private mutating func dynamic(_ bits: inout BitReader) -> Bool {
        guard let literals = bits.read(5), let distances = bits.read(5), let codes = bits.read(4) else {
            return false
        }
        var lengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<codes + 4 {
            guard let length = bits.read(3) else { return false }
            lengths[Self.order[index]] = UInt8(truncatingIfNeeded: length)
        }
        guard let code = HuffmanCode(lengths) else { return false }
        let count = literals + 257 + distances + 1
        lengths = []
        while lengths.count < count {
            guard let symbol = code.symbol(&bits) else { return false }
            switch symbol {
            case 0...15: lengths.append(UInt8(truncatingIfNeeded: symbol))
            case 16:
                guard let last = lengths.last, let more = bits.read(2) else { return false }
                lengths += [UInt8](repeating: last, count: more + 3)
            default:
                guard let more = bits.read(symbol == 17 ? 3 : 7) else { return false }
                lengths += [UInt8](repeating: 0, count: more + (symbol == 17 ? 3 : 11))
            }
        }
        guard lengths.count == count, let literal = HuffmanCode(lengths[..<(literals + 257)]),
            let distance = HuffmanCode(lengths[(literals + 257)...])
        else { return false }
        return compressed(&bits, literal, distance)
    }

    private mutating func compressed(
        _ bits: inout BitReader,
        _ literals: HuffmanCode,
        _ distances: HuffmanCode
    ) -> Bool {
        while let symbol = literals.symbol(&bits) {
            if symbol < 256 {
                guard hasRoom(for: 1) else { return false }
                output.append(UInt8(truncatingIfNeeded: symbol))
                continue
            }
            if symbol == 256 { return true }
            guard symbol <= 285, let more = bits.read(Self.lengthBits[symbol - 257]),
                let code = distances.symbol(&bits), code < 30, let far = bits.read(Self.distanceBits[code])
            else { return false }
            let (count, distance) = (Self.lengthBase[symbol - 257] + more, Self.distanceBase[code] + far)
            guard distance <= output.count, hasRoom(for: count) else { return false }
            repeatLast(distance, count: count)
        }
        return false
    }

    /// Appends a copy of earlier bytes, which may overlap the appended bytes (section 3.2.3).
    private mutating func repeatLast(_ distance: Int, count: Int) {
        let end = output.count
        output += [UInt8](repeating: 0, count: count)
        output.withUnsafeMutableBytes { bytes in
            guard let target = bytes.baseAddress?.advanced(by: end) else { return }
            var done = 0
            while done < count {
                // The copied bytes repeat, so each pass can copy everything that is already there.
                let next = min(distance + done, count - done)
                (target + done).copyMemory(from: target - distance, byteCount: next)
                done += next
            }
        }
    }

    /// Whether more bytes may be appended; records the excess if not.
    private mutating func hasRoom(for count: Int) -> Bool {
        isTooLarge = isTooLarge || output.count + count > maximumSize
        return !isTooLarge
    }

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengthBase = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
        227, 258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBase = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
        4097, 6145, 8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = (0..<30).map { max(0, $0 / 2 - 1) }
    private static let fixedLiterals = HuffmanCode(
        checked: [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
            + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
    )
    private static let fixedDistances = HuffmanCode(checked: [UInt8](repeating: 5, count: 30))
}

/// A Huffman code (RFC 1951 section 3.2.2), defined by the lengths of its code words.
struct HuffmanCode {
    /// The number of code words of each length.
    private var counts = [Int](repeating: 0, count: 16)
    /// The symbols in the order of their code words.
    private var symbols: [Int]

    /// Creates a code; `nil` if there are not enough code words of these lengths.
    init?(_ lengths: some Collection<UInt8>) {
        self.init(checked: lengths)
        var room = 1
        for count in counts.dropFirst() {
            room = room * 2 - count
            guard room >= 0 else { return nil }
        }
    }

    /// Creates a code from lengths that are known to be valid.
    init(checked lengths: some Collection<UInt8>) {
        for length in lengths { counts[Int(length & 15)] += 1 }
        counts[0] = 0
        symbols = lengths.enumerated().filter { $0.element > 0 }.sorted { left, right in
            (left.element, left.offset) < (right.element, right.offset)
        }.map(\.offset)
    }

    /// Reads the next code word bit by bit; `nil` at the end of the input or if the code word is invalid.
    func symbol(_ bits: inout BitReader) -> Int? {
        bits.fill()
        return counts.withUnsafeBufferPointer { counts in
            guard let counts = counts.baseAddress else { return nil }
            var (code, first, index, length) = (0, 0, 0, 1)
            var (rest, available) = (bits.buffer, bits.count)
            while length <= 15 {
                guard available > 0 else {
                    bits.isExhausted = true
                    return nil
                }
                code |= rest & 1
                rest = rest &>> 1
                available &-= 1
                let count = counts[length]
                if code &- first < count {
                    (bits.buffer, bits.count) = (rest, available)
                    return symbols[index &+ code &- first]
                }
                index &+= count
                first = (first &+ count) &<< 1
                code = code &<< 1
                length &+= 1
            }
            return nil
        }
    }
}

/// Reads bytes bit by bit, the lowest first (RFC 1951 section 3.1.1).
struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    /// The bits that were taken from the bytes and not read.
    fileprivate var buffer = 0
    fileprivate var count = 0
    /// Whether more bits were wanted than there are.
    fileprivate(set) var isExhausted = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Takes bytes until the longest code word is in the buffer, if there are enough.
    fileprivate mutating func fill() {
        while count < 16, position < bytes.count, let text = bytes.baseAddress {
            buffer |= Int(truncatingIfNeeded: text.load(fromByteOffset: position, as: UInt8.self)) &<< count
            position &+= 1
            count &+= 8
        }
    }

    /// Reads at most 16 bits as a number; `nil` if fewer are left.
    mutating func read(_ wanted: Int) -> Int? {
        if count < wanted {
            fill()
            guard count >= wanted else {
                isExhausted = true
                return nil
            }
        }
        let number = buffer & (1 &<< wanted &- 1)
        buffer = buffer &>> wanted
        count &-= wanted
        return number
    }

    mutating func skipToByte() { _ = read(count % 8) }

    /// Reads some bytes after ``skipToByte()``, or fewer if not as many are left.
    mutating func readBytes(_ wanted: Int) -> UnsafeRawBufferPointer {
        let start = end
        let length = min(wanted, bytes.count - start)
        isExhausted = isExhausted || length < wanted
        (position, buffer, count) = (start + length, 0, 0)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
    }

    /// The position after the bytes that were read, even in part.
    var end: Int { position - count / 8 }
}
