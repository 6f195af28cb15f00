#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Testing

    @testable import Rewind

    /// A response hides its URL from the code that hands it over, and from nobody else.
    @Suite("A response that hides its URL")
    struct ClientResponseTests {
        private let url = URL(string: "http://h/secret")

        private func response() throws -> ClientResponse {
            let url = try #require(url)
            return try #require(
                ClientResponse(url: url, statusCode: 401, httpVersion: nil, headerFields: nil)
            )
        }

        @Test("It has no URL while it is hidden, and has it before and after")
        func hides() throws {
            let response = try response()
            #expect(response.url == url)
            response.hidingURL { #expect(response.url == nil) }
            #expect(response.url == url)
        }

        @Test("Another response is not hidden with it, and neither is shown by hiding the other")
        func others() throws {
            let (response, other) = (try response(), try self.response())
            response.hidingURL {
                #expect(other.url == url)
                other.hidingURL { #expect(other.url == nil) }
                #expect(response.url == nil)
            }
        }

        @Test("The app sees the URL, on whichever thread and queue it looks meanwhile")
        func otherThreads() throws {
            let response = try response()
            let seen = Locked<[URL?]>([])
            response.hidingURL {
                let looked = DispatchGroup()
                for _ in 0..<2 { looked.enter() }
                Thread.detachNewThread {
                    seen.withLock { $0.append(response.url) }
                    looked.leave()
                }
                let operation = BlockOperation {
                    seen.withLock { $0.append(response.url) }
                    looked.leave()
                }
                OperationQueue().addOperation(operation)
                looked.wait()
            }
            #expect(seen.withLock { $0 } == [url, url])
        }
    }
#endif
