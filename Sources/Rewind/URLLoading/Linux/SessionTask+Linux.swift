#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension SessionTask {
        /// The task with its session; `nil` where Foundation hides that.
        init?(_ task: URLSessionTask) {
            guard let session = TaskInternals(task).session else { return nil }
            self.init(task: task, session: session)
        }
    }

    extension URLProtocol {
        /// The task that the protocol loads.
        var taskClient: any TaskClient { CorelibsTaskClient(self) }

        /// Here the class that accepts a task has its route.
        var taskRoute: TaskRoute? { nil }
    }

    /// Each returns whether the delegate implements the callback; here every delegate does.
    extension URLSessionTaskDelegate {
        /// Asks whether a redirect is followed.
        func decide(
            on response: HTTPURLResponse,
            leadingTo next: URLRequest,
            of task: SessionTask,
            _ decision: @escaping @Sendable (URLRequest?) -> Void
        ) -> Bool {
            urlSession(
                task.session,
                task: task.task,
                willPerformHTTPRedirection: response,
                newRequest: next,
                completionHandler: decision
            )
            return true
        }

        /// Asks how a challenge is answered.
        func decide(
            _ challenge: URLAuthenticationChallenge,
            of task: SessionTask,
            _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) -> Bool {
            urlSession(task.session, task: task.task, didReceive: challenge, completionHandler: answer)
            return true
        }

        /// Notes that bytes of the request's body were sent.
        func didSend(_ count: Int64, _ total: Int64, _ expected: Int64, of task: SessionTask) -> Bool {
            urlSession(
                task.session,
                task: task.task,
                didSendBodyData: count,
                totalBytesSent: total,
                totalBytesExpectedToSend: expected
            )
            return true
        }
    }

    extension ClientQueue {
        /// The queue of the task that a protocol loads; `nil` where Foundation hides it.
        package init?(of loader: URLProtocol) {
            guard let queue = loader.task.flatMap({ TaskInternals($0).workQueue }) else { return nil }
            self.init { seconds, block in
                if seconds > 0 {
                    queue.asyncAfter(deadline: .now() + seconds, execute: block)
                } else {
                    queue.async(execute: block)
                }
            }
        }
    }

    extension Stubber {
        /// Makes a session that exists already ask this stubber about every HTTP request it makes from now on.
        ///
        /// Only swift-corelibs-foundation reads a session's configuration again for each task; on Apple's platforms a
        /// session keeps the one it was made with. The session keeps its storage of cookies and credentials too.
        /// - Parameter session: The session.
        public func install(in session: URLSession) {
            putProtocolClass(into: session.configuration)
            StubberRegistry.shared.keep(self)
        }
    }
#endif
