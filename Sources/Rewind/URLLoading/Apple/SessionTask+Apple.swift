#if canImport(ObjectiveC)
    import CoreFoundation
    import Foundation

    extension SessionTask {
        /// The task with its session; `nil` if the system hides the session.
        init?(_ task: URLSessionTask) {
            // opentelemetry-swift and Hippolyte rely on this key in shipped code.
            guard let session = task.value(forKey: "session") as? URLSession else { return nil }
            self.init(task: task, session: session)
        }
    }

    extension URLProtocol {
        /// The task that the protocol loads. Call it in `startLoading`.
        var taskClient: any TaskClient {
            SystemTaskClient(self, of: task.flatMap(SessionTask.init), on: ClientQueue(of: self))
        }
    }

    /// Each method returns whether the delegate implements the callback.
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
        /// The run loop of the current thread, on which the protocol was started and its client must be called.
        package init?(of loader: URLProtocol) {
            // Sound as nonisolated(unsafe): a run loop takes blocks and wakes up from any thread.
            nonisolated(unsafe) let runLoop = CFRunLoopGetCurrent()
            // The read-me of Apple's CustomHTTPProtocol: use the default mode and the mode that runs now.
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
        /// Whether a timeout other than the default was assigned to the request.
        var hasAssignedTimeout: Bool { timeoutInterval != Self.defaultTimeout }
    }

    extension HTTPURLResponse {
        var fields: [String: String] { convertedFields }
    }

    /// The storage that all sessions of a process share; on Apple platforms tests share it too.
    enum SharedStorage {
        static let isReplaceable = false

        @Sendable static func install() throws -> @Sendable () -> Void { {} }
    }
#endif
