import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Failure {
    /// The failure as the error a task fails with, naming the URL as Foundation does.
    func error(for url: URL?) -> any Error {
        var information: [String: Any] = [:]
        if !message.isEmpty { information[NSLocalizedDescriptionKey] = message }
        if let url {
            information[NSURLErrorFailingURLErrorKey] = url
            information["NSErrorFailingURLStringKey"] = url.absoluteString
        }
        let error = NSError(domain: domain, code: code, userInfo: information)
        return domain == NSURLErrorDomain ? URLError(_nsError: error) : error
    }
}
