import Testing

@testable import Rewind

struct SHA256DigestTests {
    @Test(
        "The NIST test vectors have the right digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            (
                String(repeating: "a", count: 100_000),
                "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
            ),
        ]
    )
    func vectors(_ message: String, _ digest: String) {
        #expect(SHA256Digest(message.utf8).hexadecimal == digest)
    }

    @Test("Messages around a block boundary have the right padding", arguments: digests)
    func padding(_ count: Int, _ digest: String) {
        #expect(SHA256Digest(repeatElement(UInt8(ascii: "x"), count: count)).hexadecimal.hasPrefix(digest))
    }

    private static let digests = [
        (55, "d5e285683cd4efc0"), (56, "04c26261370ee754"), (57, "ae14a2563ccf969d"), (63, "75220b47218278e6"),
        (64, "7ce100971f64e700"), (65, "9537c5fdf120482f"), (119, "000b48d4edf0fa7b"),
        (120, "13f05a0b594787f5"), (128, "24da1b81d0b16df6"),
    ]
}
