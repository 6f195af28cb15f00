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
    for coding in ["gzip", "deflate", "br"] {
        _ = try? ContentCoding.decoded(data, ["Content-Encoding": coding], &budget)
    }
    _ = try? budget.inflated([UInt8](data)[...])
    _ = CompressedContent(data, atMost: 1 << 16)
    _ = JSONEscapes.encoded(text)
}
