import Foundation

/// The hash of FIPS 180-4, by which expected bodies are told.
enum SHA256 {
    /// The hash in hexadecimal digits.
    static func hexadecimal(_ data: Data) -> String {
        var state: [UInt32] = roots.map { fraction(Double($0).squareRoot()) }
        var message = [UInt8](data) + [0x80]
        message += [UInt8](repeating: 0, count: (119 - data.count % 64) % 64)
        message += withUnsafeBytes(of: (UInt64(data.count) * 8).bigEndian) { [UInt8]($0) }
        for start in stride(from: 0, to: message.count, by: 64) {
            process(message[start..<start + 64], &state)
        }
        return state.map {
            String(repeating: "0", count: 8 - String($0, radix: 16).count) + String($0, radix: 16)
        }
        .joined()
    }

    private static let primes: [Int] = (2...311).filter { number in
        !(2..<number).contains { number % $0 == 0 }
    }
    private static let roots = Array(primes.prefix(8))
    private static let constants: [UInt32] = primes.prefix(64).map { fraction(cbrt(Double($0))) }

    /// The first 32 bits of the fraction of a root.
    private static func fraction(_ root: Double) -> UInt32 {
        UInt32(root.truncatingRemainder(dividingBy: 1) * 4_294_967_296)
    }

    private static func process(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
        let block = Array(block)
        var words = (0..<16).map { index in
            block[index * 4..<index * 4 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
            let second = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var work = state
        for index in 0..<64 {
            let (a, e) = (work[0], work[4])
            let choice = (e & work[5]) ^ (~e & work[6])
            let first =
                work[7] &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ constants[index]
                &+ words[index]
            let majority = (a & work[1]) ^ (a & work[2]) ^ (work[1] & work[2])
            let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
            work = [first &+ second, a, work[1], work[2], work[3] &+ first, e, work[5], work[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ work[index] }
    }

    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value >> count | value << (32 - count)
    }
}
