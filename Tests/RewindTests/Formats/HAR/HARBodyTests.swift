import Foundation
import Testing

@testable import Rewind

struct HARBodyTests {
    @Test("A body with one unreadable byte is binary, wherever the byte is", arguments: 0..<20)
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

    @Test("An empty body is text")
    func empty() {
        #expect(HARBody.isText(Data()))
    }
}
