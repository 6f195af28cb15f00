/// A random number generator with a seed (Steele, Lea and Flood, 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator. The same seed gives the same numbers.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Random bytes, most of them from an alphabet, so that they are almost valid.
    package mutating func bytes(upTo count: Int, from alphabet: String) -> [UInt8] {
        let letters = Array(alphabet.utf8)
        return (0..<Int.random(in: 0...count, using: &self)).map { _ in
            let isLetter = Int.random(in: 0..<8, using: &self) > 0
            return isLetter ? letters.randomElement(using: &self) ?? 0 : UInt8.random(in: 0...255, using: &self)
        }
    }

    /// A random text of characters from an alphabet.
    package mutating func text(_ count: Int, of alphabet: String) -> String {
        let characters = Array(alphabet)
        return String((0..<count).compactMap { _ in characters.randomElement(using: &self) })
    }
}
