import Foundation

@testable import Rewind

/// Dates, cookies, media types and URLs are taken apart or refused.
func fuzzFields(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    if let date = HTTPDate.date(text) {
        guard let spelled = HTTPDate.text(date) else { return hold(false, "a date cannot be spelled: \(text)") }
        hold(HTTPDate.date(spelled) == date, "a date is read otherwise: \(spelled)")
    }
    _ = VCRDate.date(text)
    _ = VCRDuration.milliseconds(text)
    _ = HARDate.date(text)
    hold(SetCookie.split(text).joined(separator: "").count <= text.count, "cookies grow")
    _ = MediaType(text)
    let disposition = ContentDisposition(text)
    _ = (disposition.name, disposition.fileName)
    let parts = URLParts(text)
    _ = (parts.queryItems, parts.origin, parts.hasDefaultPort)
    // What is no URL with a host cannot be told apart once it is put together.
    if ["http", "https"].contains(parts.scheme), !parts.host.contains(":"), !parts.host.isEmpty {
        hold(URLParts(parts.text).text == parts.text, "a URL is spelled otherwise: \(parts.text)")
    }
    if URLParts.isNormal(text) { hold(parts.text == text, "what is normal is changed: \(parts.text)") }
    _ = Placeholder.placeholders(in: text)
    _ = Placeholder.withoutNumbers(text)
}
