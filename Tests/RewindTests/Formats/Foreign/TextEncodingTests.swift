import Foundation
import Testing

@testable import Rewind

struct TextEncodingTests {
    private struct Sample: Sendable {
        let contentType: String?
        let bytes: [UInt8]
        let text: String?

        init(_ contentType: String?, _ bytes: [UInt8], _ text: String?) {
            (self.contentType, self.bytes, self.text) = (contentType, bytes, text)
        }
    }

    private static let samples = [
        Sample("text/plain; charset=iso-8859-1", [0x47, 0x72, 0xFC, 0xDF], "Grüß"),
        Sample("text/plain; charset=\"UTF-8\"", [0x47, 0xC3, 0xBC], "Gü"),
        Sample("text/plain; charset=utf-16le", [0x47, 0x00, 0xFC, 0x00], "Gü"),
        Sample("text/plain; charset=unheard-of", [0xC3, 0xBC], "ü"),
        Sample("text/plain; charset=shift_jis", [0x83, 0x65, 0x83, 0x58], "テス"),
        Sample("text/plain", [0xC3, 0xBC], "ü"), Sample("text/plain", [0xFC], nil),
        Sample(nil, [0xC3, 0xBC], "ü"), Sample(nil, [], ""),
    ]

    @Test("Bytes are read in the named encoding, UTF-8 by default", arguments: samples)
    private func reads(_ sample: Sample) {
        #expect(TextEncoding.text(Data(sample.bytes), sentAs: sample.contentType) == sample.text)
    }

    @Test("Text that was read is written as the same bytes")
    func roundTrip() throws {
        let type = "text/plain; charset=windows-1252"
        let bytes = Data([0x80, 0x41, 0xE4])
        let text = TextEncoding.text(bytes, sentAs: type)
        #expect(text == "€Aä")
        #expect(try TextEncoding.data(Data((text ?? "").utf8), sentAs: type) == bytes)
    }
}
