import Foundation
import Rewind

/// Adapts a response to the client that receives it.
///
/// It is a class because it is passed along with the response, and copying a request copies many strings.
final class ClientResponse: Sendable {
    let request: HTTPServerRequest
    let upstreams: CassetteServer.Upstreams
    let upstream: Upstream?

    init(request: HTTPServerRequest, upstreams: CassetteServer.Upstreams, upstream: Upstream?) {
        self.request = request
        self.upstreams = upstreams
        self.upstream = upstream
    }

    /// The local addresses of the upstreams. They are computed on demand, because most responses need none.
    var addresses: LocalAddresses? { LocalAddresses(upstreams.rule, request: request, answeredBy: upstream) }

    /// The headers without those of the upstream's connection and of a decoded content coding, with local addresses.
    func headers(of response: Interaction.Response, isWhole: Bool) -> HeaderList {
        // Most responses need no change.
        let length = isWhole && request.method != "HEAD" ? String(response.body.count) : nil
        var lengthCount = 0
        let change = response.headers.firstPosition { field in
            guard field.name.utf8.count == 14, field.hasName("Content-Length") else { return field.mayChange }
            lengthCount += 1
            return field.value != length || lengthCount > 1
        }
        if change == nil { return response.headers }
        var headers = response.headersForClient(of: request.method, isWhole: isWhole).withoutConnectionFields
        let unsendable = headers.firstPosition { !$0.isSendable }
        if unsendable != nil { headers.fields.removeAll { !$0.isSendable } }
        if !headers.hasUsableLength { headers.removeAll(named: "Content-Length") }
        guard headers.firstPosition(where: { $0.hasAddress }) != nil, let addresses else { return headers }
        for position in headers.fields.indices where headers.fields[position].hasAddress {
            headers.fields[position].makeLocal(addresses)
        }
        return headers
    }

    func withLocalBody(_ response: Interaction.Response) -> Interaction.Response {
        guard response.isText, let addresses else { return response }
        var response = response
        response.body = Interaction.Body(addresses.local(text: response.body.data))
        return response
    }
}

extension HeaderList.Field {
    fileprivate var hasAddress: Bool {
        switch name.utf8.count {
        case 4: hasName("Link")
        case 8: hasName("Location")
        case 10: hasName("Set-Cookie")
        case 16: hasName("Content-Location")
        default: false
        }
    }

    fileprivate mutating func makeLocal(_ addresses: LocalAddresses) {
        if hasName("Location") || hasName("Content-Location") {
            value = addresses.local(value) ?? value
        } else if hasName("Set-Cookie") {
            value = addresses.local(cookie: value)
        } else if hasName("Link") {
            value = value.replacingLinks { addresses.local($0) ?? $0 }
        }
    }

    /// Whether the header may have to be changed or removed for the client.
    fileprivate var mayChange: Bool {
        !isSendable || hasAddress || isOfConnection || name.utf8.count == 16 && hasName("Content-Encoding")
    }
}

extension HeaderList {
    fileprivate var hasUsableLength: Bool {
        let lengths = values(for: "Content-Length")
        guard let length = lengths.first else { return true }
        return lengths.count == 1 && length.utf8.allSatisfy(\.isDigit) && Int(length) != nil
    }
}

extension String {
    /// Replaces the targets of links, which are in angle brackets (RFC 8288 section 3).
    fileprivate func replacingLinks(_ replacement: (String) -> String) -> String {
        var result = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            result += rest[...start]
            result += replacement(String(rest[rest.index(after: start)..<end])) + ">"
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}

extension Interaction.Response {
    /// Whether the body is text in an ASCII-compatible encoding.
    fileprivate var isText: Bool {
        guard let type = MediaType(headers["Content-Type"] ?? "") else { return false }
        let name = type.essence
        return name.hasPrefix("text/") || name.hasSuffix("json") || name.hasSuffix("xml")
            || name.hasSuffix("javascript") || name == "application/x-www-form-urlencoded"
    }
}
