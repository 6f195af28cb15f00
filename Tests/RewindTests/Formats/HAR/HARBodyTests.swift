import Foundation
import Testing

@testable import Rewind

struct HARBodyTests {
    @Test("One byte that no text has makes bytes of it, wherever it stands", arguments: 0..<20)
    func anywhere(_ place: Int) {
        for byte in UInt8.min...UInt8.max {
            var bytes = Array("ab\té\r\n\(String(repeating: "x", count: 14))".utf8)
            bytes.insert(byte, at: min(place, bytes.count))
            let isControl = byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte) || byte == 0x7F
            let isText = String(bytes: bytes, encoding: .utf8) != nil && !isControl
            #expect(HARBody.isText(Data(bytes)) == isText, "\(byte)")
            #expect(HARBody.isText(Data([0] + bytes)[1...]) == isText, "\(byte)")
        }
    }

    @Test("No bytes are text")
    func empty() {
        #expect(HARBody.isText(Data()))
    }
}
