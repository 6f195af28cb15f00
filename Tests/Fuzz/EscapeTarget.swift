import Foundation

@testable import Rewind

/// Escapes, base64 and compression are undone or left as they are.
func fuzzEscapes(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    let encoded = PercentEncoding.encoded(text)
    hold(PercentDecoding.decoded(encoded) == text, "percent-encoding cannot be undone")
    let normal = PercentEncoding.normalized(text)
    hold(PercentEncoding.normalized(normal) == normal, "what is normal is not")
    _ = PercentDecoding.decoded(text, plusIsSpace: true)
    data.withUnsafeBytes { bytes in
        for run in Base64Text(bytes) { _ = run }
        for layer in EscapeLayer.allCases {
            let edits = layer.edits(in: bytes) { _ in [] }
            hold(edits.isEmpty, "nothing was found, and \(layer) edits")
        }
    }
    let bytes = WrappedBase64.data(text)
    let isPlain = data.withUnsafeBytes { PlainBase64.isValid($0[0..<$0.count]) }
    if isPlain { hold(bytes != nil, "plain base64 is refused") }
    var budget = InflationBudget(CassetteLimits(maximumInflatedBody: 1 << 16, maximumInflatedSize: 1 << 20))
    for coding in ["gzip", "deflate", "br"] {
        _ = try? ContentCoding.decoded(data, ["Content-Encoding": coding], &budget)
    }
    _ = try? Inflation.inflated([UInt8](data)[...], &budget)
    _ = JSONEscapes.encoded(text)
}
