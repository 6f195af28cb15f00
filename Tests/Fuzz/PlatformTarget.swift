import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Foundation does not crash with the values of a recorded response.
func fuzzPlatform(_ data: Data) {
    var input = FuzzInput(data)
    let (address, target) = (input.text(), input.text())
    let status = Int(input.byte()) << 8 | Int(input.byte())
    let fields = Dictionary(input.headers().map { ($0.name, $0.value) }) { "\($0), \($1)" }
    guard let base = URL(string: "https://example.com/a?b#c") else { return }
    let urls = [URL(string: address), URL(string: target, relativeTo: base)?.absoluteURL]
    for url in urls.compactMap({ $0 }) + [base] {
        _ = (url.scheme, url.host, url.fragment, url.path, url.absoluteString)
        let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        check(head != nil, "a response has no head")
        _ = (head?.mimeType, head?.textEncodingName, head?.suggestedFilename, head?.expectedContentLength)
        for cookie in SetCookie.split(fields["Set-Cookie"] ?? "") where SetCookie.isReadable(cookie) {
            _ = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": cookie], for: url)
        }
    }
}
