import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an app receives for a request, to compare a live run with its replay.
package struct Outcome: Equatable, Sendable {
    /// The status code; 0 for a failure.
    package var status: Int = 0
    /// The header fields.
    package var headers: [String: String] = [:]
    /// The body.
    package var body = Data()
    /// The final URL.
    package var url: URL?
    /// The error's domain and code.
    package var failure: String?

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// Makes a request with `data(for:)`.
    package init(of request: URLRequest, in session: URLSession = .shared) async {
        do {
            let (data, response) = try await session.data(for: request)
            self.init(data, response)
        } catch {
            self.init(error)
        }
    }

    /// Makes a GET request with `data(for:)`.
    package init(of url: URL, in session: URLSession = .shared) async {
        await self.init(of: URLRequest(url: url), in: session)
    }

    /// Makes a GET request with a new session, and waits for its end on this thread.
    package init(waitingFor url: URL) {
        let done = DispatchSemaphore(value: 0)
        let outcome = Locked<Outcome?>(nil)
        let task = URLSession(configuration: .ephemeral).dataTask(with: url) { data, response, error in
            outcome.withLock { $0 = Outcome(data, response, error) }
            done.signal()
        }
        task.resume()
        done.wait()
        self = outcome.withLock { $0 } ?? Outcome(nil, nil, nil)
    }

    /// Creates an outcome from the arguments of a completion handler.
    package init(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        if let error { self.init(error) } else { self.init(data ?? Data(), response) }
    }

    private init(_ data: Data, _ response: URLResponse?) {
        body = data
        url = response?.url
        guard let response = response as? HTTPURLResponse else { return }
        status = response.statusCode
        for (name, value) in response.allHeaderFields {
            headers["\(name)"] = "\(value)"
        }
    }

    private init(_ error: any Error) {
        let error = error as NSError
        failure = "\(error.domain) \(error.code)"
    }
}
