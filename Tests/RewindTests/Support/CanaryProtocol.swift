#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Testing

    /// The least that a protocol can be: what the platform itself makes of it, with nothing of Rewind in between.
    ///
    /// A canary shows that the platform still needs what Rewind does for it. Where a new version of the platform ends
    /// one, the message names what behaved otherwise and the code that may go.
    class CanaryProtocol: URLProtocol {
        /// An address that no server has.
        static let url = URL(string: "http://canary.invalid/") ?? URL(fileURLWithPath: "/")

        override class func canInit(with request: URLRequest) -> Bool { true }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            respond(text: "whole")
        }

        override func stopLoading() {}

        /// A session whose requests this class loads.
        class func session(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = [self]
            return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        }

        /// Tells the client the head of a response.
        func begin(_ status: Int = 200, headers: [String: String] = [:]) {
            guard let url = request.url,
                let head = HTTPURLResponse(
                    url: url,
                    statusCode: status,
                    httpVersion: "HTTP/1.1",
                    headerFields: headers
                )
            else { return }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        }

        /// Tells the client pieces of the body.
        func load(_ pieces: String...) {
            for piece in pieces { client?.urlProtocol(self, didLoad: Data(piece.utf8)) }
        }

        /// Tells the client that all is said.
        func finish() {
            client?.urlProtocolDidFinishLoading(self)
        }

        /// Tells the client a whole answer.
        func respond(_ status: Int = 200, headers: [String: String] = [:], text: String) {
            begin(status, headers: headers)
            load(text)
            finish()
        }
    }

    extension ExitTest.Condition {
        /// The process was stopped by a check of Swift's or of libdispatch's.
        static var trap: Self {
            #if arch(x86_64) || arch(i386)
                .signal(SIGILL)
            #else
                .signal(SIGTRAP)
            #endif
        }

        /// The process did nothing more, until the alarm it had set ended it.
        static var alarm: Self { .signal(SIGALRM) }
    }
#endif
