import Foundation
import Rewind

/// A form with files, as clients write it.
struct MultipartSample: Sendable {
    /// One part, its header lines and its bytes.
    struct Part: Sendable {
        var headers: [String]
        var content: Data

        static func field(_ name: String, _ value: String) -> Part {
            Part(headers: [#"Content-Disposition: form-data; name="\#(name)""#], content: Data(value.utf8))
        }

        static func file(_ name: String, _ fileName: String, _ type: String, _ content: Data) -> Part {
            let disposition = #"form-data; name="\#(name)"; filename="\#(fileName)""#
            return Part(
                headers: ["Content-Disposition: \(disposition)", "Content-Type: \(type)"],
                content: content
            )
        }
    }

    var boundary: String
    var parts: [Part]

    init(_ boundary: String, _ parts: [Part]) {
        (self.boundary, self.parts) = (boundary, parts)
    }

    var data: Data {
        var data = Data()
        for part in parts {
            data += "--\(boundary)\r\n\(part.headers.joined(separator: "\r\n"))\r\n\r\n".utf8
            data += part.content + "\r\n".utf8
        }
        return data + "--\(boundary)--\r\n".utf8
    }

    /// The request that sends the form, its type named as usual or not at all.
    func request(type: String? = "multipart/form-data; boundary=") -> Request {
        Request(
            method: "POST",
            url: "https://h/",
            headers: type.map { ["Content-Type": $0.hasSuffix("boundary=") ? $0 + boundary : $0] } ?? [:],
            body: Body(data)
        )
    }

    /// As Alamofire 5 names its boundaries.
    static let alamofire = "alamofire.boundary.5c1b3ad7c6d9a1d4"
    /// As curl names its boundaries.
    static let curl = "------------------------d74496d66958873e"
    /// The first bytes of a picture, line ends and a byte that is no UTF-8 among them.
    static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0xFF, 0x0D, 0x0A])
}
