#if canImport(ObjectiveC)
    import CoreFoundation
    import Foundation

    extension SessionTask {
        /// The task with its session; `nil` where the system hides that.
        init?(_ task: URLSessionTask) {
            // Shipped by opentelemetry-swift and Hippolyte.
            guard let session = task.value(forKey: "session") as? URLSession else { return nil }
            self.init(task: task, session: session)
        }
    }

    extension URLProtocol {
        /// The task that the protocol loads; to be asked for in `startLoading`.
        var taskClient: any TaskClient {
            SystemTaskClient(self, of: task.flatMap(SessionTask.init), on: ClientQueue(of: self))
        }
    }

    /// Each returns whether the delegate implements the callback.
    extension URLSessionTaskDelegate {
        func decide(
            on response: HTTPURLResponse,
            leadingTo next: URLRequest,
            of task: SessionTask,
            _ decision: @escaping @Sendable (URLRequest?) -> Void
        ) -> Bool {
            urlSession?(
                task.session,
                task: task.task,
                willPerformHTTPRedirection: response,
                newRequest: next,
                completionHandler: decision
            ) != nil
        }

        func decide(
            _ challenge: URLAuthenticationChallenge,
            of task: SessionTask,
            _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) -> Bool {
            urlSession?(task.session, task: task.task, didReceive: challenge, completionHandler: answer) != nil
        }

        func didSend(_ count: Int64, _ total: Int64, _ expected: Int64, of task: SessionTask) -> Bool {
            urlSession?(
                task.session,
                task: task.task,
                didSendBodyData: count,
                totalBytesSent: total,
                totalBytesExpectedToSend: expected
            ) != nil
        }
    }

    extension ClientQueue {
        /// The run loop of the present thread, on which a protocol is started and must be answered.
        package init?(of loader: URLProtocol) {
            // Sound as nonisolated(unsafe): a run loop takes blocks and wakes up from any thread.
            nonisolated(unsafe) let runLoop = CFRunLoopGetCurrent()
            // The read-me of Apple's CustomHTTPProtocol: in the default mode and in the one that runs now.
            let modes = [RunLoop.Mode.default.rawValue, RunLoop.current.currentMode?.rawValue].compactMap { $0 }
            self.init { seconds, block in
                let enter: @Sendable () -> Void = {
                    CFRunLoopPerformBlock(runLoop, modes as CFArray, block)
                    CFRunLoopWakeUp(runLoop)
                }
                guard seconds > 0 else { return enter() }
                DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: enter)
            }
        }
    }

    extension URLRequest {
        /// Whether a timeout was assigned to the request; the default value may have been assigned or not.
        var hasAssignedTimeout: Bool { timeoutInterval != Self.defaultTimeout }
    }

    /// The storage that all sessions of a process share; on Apple's platforms tests share it too.
    enum SharedStorage {
        static let isReplaceable = false

        @Sendable static func install() throws -> @Sendable () -> Void { {} }
    }
#endif
