import Foundation

@testable import Rewind

/// Dates, cookies, media types and URLs are parsed or rejected.
func fuzzFields(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    if let date = HTTPDate.date(text) {
        guard let spelled = HTTPDate.text(date) else {
            return check(false, "a date cannot be written: \(text)")
        }
        check(HTTPDate.date(spelled) == date, "a date is parsed differently: \(spelled)")
    }
    _ = VCRDate.date(text)
    _ = VCRDuration.milliseconds(text)
    _ = HARDate.date(text)
    check(SetCookie.split(text).joined(separator: "").count <= text.count, "cookies grow")
    _ = MediaType(text)
    let disposition = ContentDisposition(text)
    _ = (disposition.name, disposition.fileName)
    let parts = URLParts(text)
    _ = (parts.queryItems, parts.origin, parts.hasDefaultPort)
    // Without a host, the written URL is ambiguous.
    if ["http", "https"].contains(parts.scheme), !parts.host.contains(":"), !parts.host.isEmpty {
        check(URLParts(parts.text).text == parts.text, "a URL is written differently: \(parts.text)")
    }
    if URLParts.isNormal(text) { check(parts.text == text, "a normal URL is changed: \(parts.text)") }
    _ = Placeholder.placeholders(in: text)
    _ = Placeholder.withoutNumbers(text)
}
