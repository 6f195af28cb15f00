import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Descriptions of everything that an app receives from a session, to compare two runs.
///
/// They do not contain the addresses of objects or the port of the server, which differ in each run.
package enum Description {
    /// A response: its type, its head and its properties.
    package static func of(_ response: URLResponse?) -> String {
        guard let response else { return "nil" }
        var parts = [
            "\(type(of: response))", "url \(response.url?.absoluteString ?? "nil")",
            "mime \(response.mimeType ?? "nil")", "charset \(response.textEncodingName ?? "nil")",
            "expects \(response.expectedContentLength)", "file \(response.suggestedFilename ?? "nil")",
        ]
        if let response = response as? HTTPURLResponse {
            let fields = response.allHeaderFields.map { "\($0.key): \($0.value)" }.sorted()
            parts += ["status \(response.statusCode)"] + fields.map { "[\($0)]" }
        }
        return parts.joined(separator: ", ") + ", shown as " + withoutAddress("\(response)").prefix(40)
    }

    /// An error: its type, domain, code, texts and user info, with the errors inside it.
    package static func of(_ error: (any Error)?) -> String {
        guard let error else { return "nil" }
        let bridged = error as NSError
        let information = bridged.userInfo.map { "\($0.key) = \(value($0.value))" }.sorted()
        return [
            "\(type(of: error))", bridged.domain, "\(bridged.code)",
            "«\(withoutAddress(bridged.localizedDescription))»",
            "{\(information.joined(separator: "; "))}",
        ].joined(separator: " ")
    }

    /// A request of a task.
    package static func of(_ request: URLRequest?) -> String {
        guard let request else { return "nil" }
        let fields = (request.allHTTPHeaderFields ?? [:]).map { "[\($0.key): \($0.value)]" }.sorted()
        return [
            request.httpMethod ?? "nil", request.url?.absoluteString ?? "nil", fields.joined(),
            "body \(request.httpBody.map { "\($0.count)" } ?? "nil")",
            "stream \(request.httpBodyStream == nil ? "no" : "yes")", "timeout \(request.timeoutInterval)",
        ].joined(separator: " ")
    }

    /// Data with the bounds of its indices, which must begin at 0 as without Rewind.
    package static func of(_ data: Data?) -> String {
        guard let data else { return "nil" }
        let text = data.count > 60 ? "…" : String(decoding: data, as: UTF8.self)
        return "\(data.startIndex)..<\(data.endIndex) \(text)"
    }

    private static func value(_ value: Any) -> String {
        switch value {
        case let error as NSError: of(error as any Error)
        case let url as URL: "URL \(url.absoluteString)"
        default: "\(type(of: value)) \(withoutAddress("\(value)"))"
        }
    }

    private static func withoutAddress(_ text: String) -> String {
        text.replacingOccurrences(of: "0x[0-9a-f]+", with: "0x", options: .regularExpression)
            .replacingOccurrences(of: "after [0-9]+ ms", with: "after some ms", options: .regularExpression)
    }
}
