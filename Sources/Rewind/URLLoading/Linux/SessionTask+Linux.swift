#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    @_spi(Reflection) import Swift

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

    extension URLSessionTaskDelegate {
        /// Asks whether a redirect is followed.
        /// - Returns: Whether the delegate implements the callback; here every delegate does.
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
        /// - Returns: Whether the delegate implements the callback; here every delegate does.
        func decide(
            _ challenge: URLAuthenticationChallenge,
            of task: SessionTask,
            _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) -> Bool {
            urlSession(task.session, task: task.task, didReceive: challenge, completionHandler: answer)
            return true
        }

        /// Notes that bytes of the request's body were sent.
        /// - Returns: Whether the delegate implements the callback; here every delegate does.
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
            guard let task = loader.task else { return nil }
            self.init(TaskInternals(task))
        }

        init?(_ task: TaskInternals) {
            guard let queue = task.workQueue else { return nil }
            self.init { seconds, block in
                if seconds > 0 {
                    queue.asyncAfter(deadline: .now() + seconds, execute: block)
                } else {
                    queue.async(execute: block)
                }
            }
        }
    }

    extension URLRequest {
        private static let placeOfTimeout: Int? = {
            var place: Int?
            _ = _forEachField(of: URLRequest.self) { name, offset, type, _ in
                if String(cString: name) == "isTimeoutIntervalSet", type == Bool.self { place = offset }
                return true
            }
            return place
        }()

        /// Whether a timeout was assigned to the request, which may be the default.
        var hasAssignedTimeout: Bool {
            guard timeoutInterval == Self.defaultTimeout, let place = Self.placeOfTimeout else {
                return timeoutInterval != Self.defaultTimeout
            }
            return withUnsafeBytes(of: self) { $0.load(fromByteOffset: place, as: Bool.self) }
        }
    }
#endif
