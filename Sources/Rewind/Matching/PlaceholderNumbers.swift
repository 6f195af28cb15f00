import Foundation

extension Request {
    /// The request with every placeholder as if it had no number; `nil` where none has one.
    var withoutPlaceholderNumbers: Request? {
        // Nearly all requests have none, and are not copied.
        guard hasPlaceholders else { return nil }
        var plain = self
        plain.url = Placeholder.withoutNumbers(url)
        for index in headers.fields.indices {
            plain.headers.fields[index].value = Placeholder.withoutNumbers(headers.fields[index].value)
        }
        if let body { plain.body = Body(Placeholder.withoutNumbers(body.data)) }
        return plain == self ? nil : plain
    }

    private var hasPlaceholders: Bool {
        Placeholder.isPresent(in: url) || body.map { Placeholder.isPresent(in: $0.data) } ?? false
            || headers.fields.contains { Placeholder.isPresent(in: $0.value) }
    }
}

extension Projection {
    /// The numbered placeholders in what is compared, in order.
    var placeholders: [Placeholder] {
        let all =
            switch self {
            case .absent: [Placeholder]()
            case .text(let text): Placeholder.placeholders(in: text)
            case .bytes(let data), .parts(let data): Placeholder.placeholders(in: data)
            }
        return all.filter { $0.number != nil }
    }
}
