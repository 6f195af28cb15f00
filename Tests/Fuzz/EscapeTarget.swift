import Foundation

@testable import Rewind

/// Escapes, base64 and compression are decoded or left unchanged.
func fuzzEscapes(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    let encoded = PercentEncoding.encoded(text)
    check(PercentDecoding.decoded(encoded) == text, "percent-encoding does not round-trip")
    let normal = PercentEncoding.normalized(text)
    check(PercentEncoding.normalized(normal) == normal, "normalizing twice changes the text")
    _ = PercentDecoding.decoded(text, plusIsSpace: true)
    data.withUnsafeBytes { bytes in
        for run in Base64Text(bytes) { _ = run }
        for layer in EscapeLayer.allCases {
            let edits = layer.edits(in: bytes) { _ in [] }
            check(edits.isEmpty, "\(layer) edits although nothing was found")
        }
    }
    let bytes = WrappedBase64.data(text)
    let isPlain = data.withUnsafeBytes { PlainBase64.isValid($0[0..<$0.count]) }
    if isPlain { check(bytes != nil, "plain base64 is rejected") }
    var budget = InflationBudget(CassetteLimits(maximumInflatedBody: 1 << 16, maximumInflatedSize: 1 << 20))
    for coding in ["gzip", "deflate", "br", "gzip, deflate, gzip"] {
        _ = try? ContentCoding.decoded(data, ["Content-Encoding": coding], &budget)
    }
    _ = try? budget.inflation(of: [UInt8](data)[...], after: 0)
    for charset in ["euc-jp", "iso-2022-jp", "gb18030", "big5", "windows-1258", "utf-16"] {
        let type = "text/plain; charset=\(charset)"
        let text = TextEncoding.text(data, sentAs: type)
        // Text with a zero stays as it is if the encoding is wide.
        if let text, !text.utf8.contains(0), let bytes = try? TextEncoding.data(Data(text.utf8), sentAs: type) {
            check(TextEncoding.text(bytes, sentAs: type) != nil, "encoded text cannot be read")
        }
    }
    _ = CompressedContent(data, atMost: 1 << 16)
    _ = JSONEscapes.encoded(text)
}
