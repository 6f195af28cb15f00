#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Stands in for a 401 Basic that is the answer, while it is handed over, so that Foundation asks for no credential.
    ///
    /// At the end of a 401, Foundation 6.3 looks for a challenge in the task's response. If it finds one that nobody has
    /// a credential for, it never ends; with a credential it loads again from the network. So the task has a response
    /// without a challenge at that moment, and the real one before the end is delivered.
    struct UnchallengedResponse {
        private let real: HTTPURLResponse
        private let standIn: HTTPURLResponse

        /// Creates a response without the challenge of another one; `nil` where Foundation would find none in that.
        init?(_ response: HTTPURLResponse) {
            guard response.statusCode == 401, let url = response.url,
                let fields = response.allHeaderFields as? [String: String],
                let challenge = fields.first(where: { $0.key.lowercased() == "www-authenticate" })?.value,
                challenge.lowercased().hasPrefix("basic"),
                let standIn = HTTPURLResponse(
                    url: url,
                    statusCode: 401,
                    httpVersion: nil,
                    headerFields: fields.filter { $0.key.lowercased() != "www-authenticate" }
                )
            else { return nil }
            real = response
            self.standIn = standIn
        }

        /// Ends a load while this is the response of its task, and gives the task the real one back.
        ///
        /// The end is delivered on the session's queue after that, also to a caller that Foundation would resume at once.
        func stand(in internals: TaskInternals?, of session: URLSession?, _ end: () -> Void) {
            guard let internals, let session, internals.tellsOnDelegateQueue(), internals.setResponse(standIn)
            else {
                return end()
            }
            let queue = session.delegateQueue
            guard queue.maxConcurrentOperationCount == 1 else {
                let wasSuspended = queue.isSuspended
                queue.isSuspended = true
                end()
                internals.setResponse(real)
                queue.isSuspended = wasSuspended
                return
            }
            // Not suspended, which the main queue cannot be.
            let isDone = DispatchSemaphore(value: 0)
            queue.addOperation { isDone.wait() }
            end()
            internals.setResponse(real)
            isDone.signal()
        }
    }
#endif
