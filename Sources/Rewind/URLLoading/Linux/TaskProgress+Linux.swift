#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Counts the bytes of a task and tells delegates, where and as Foundation does for its own protocols.
    struct TaskProgress {
        private let task: URLSessionTask?
        private let internals: TaskInternals?
        private let session: URLSession?
        private var expected = NSURLSessionTransferSizeUnknown
        private var receivedCount: Int64 = 0
        private var sentCount: Int64 = 0
        private var expectedToSend: Int64 = 0

        init(_ task: URLSessionTask?, _ internals: TaskInternals?, _ session: URLSession?) {
            self.task = task
            self.internals = internals
            self.session = session
        }

        /// Notes the length of the request's body.
        mutating func willSend(_ count: Int) {
            expectedToSend = Int64(count)
            internals?.expectToSend(expectedToSend)
        }

        /// Notes that bytes of the request's body were sent. Foundation counts them only for delegates.
        mutating func sent(_ count: Int, _ audience: TaskAudience) {
            guard count > 0, let task, let session, let delegate = audience.delegate else { return }
            sentCount += Int64(count)
            internals?.countSent(sentCount)
            let (count, total, expected) = (Int64(count), sentCount, expectedToSend)
            session.delegateQueue.addOperation {
                delegate.urlSession(
                    session,
                    task: task,
                    didSendBodyData: count,
                    totalBytesSent: total,
                    totalBytesExpectedToSend: expected
                )
            }
        }

        /// Notes the length that a response states; Foundation does not tell that of a coded body.
        mutating func expect(_ head: HTTPURLResponse) {
            let coding = head.value(forHTTPHeaderField: "Content-Encoding")
            let isCoded = coding != nil && coding != "identity"
            let length = head.expectedContentLength
            expected = length > 0 && !isCoded ? length : NSURLSessionTransferSizeUnknown
            internals?.expectToReceive(expected)
        }

        /// Notes that bytes were written to the file of a download. Foundation counts them only for delegates.
        mutating func wrote(_ count: Int, _ audience: TaskAudience) {
            guard let session, let task = task as? URLSessionDownloadTask,
                let delegate = audience.delegate as? any URLSessionDownloadDelegate
            else { return }
            receivedCount += Int64(count)
            internals?.countReceived(receivedCount)
            let (count, total, expected) = (Int64(count), receivedCount, expected)
            session.delegateQueue.addOperation {
                delegate.urlSession(
                    session,
                    downloadTask: task,
                    didWriteData: count,
                    totalBytesWritten: total,
                    totalBytesExpectedToWrite: expected
                )
            }
        }

        /// Notes that everything has come.
        func finish() {
            guard let progress = task?.progress else { return }
            if progress.totalUnitCount < 0 { progress.totalUnitCount = max(1, progress.completedUnitCount) }
            progress.completedUnitCount = progress.totalUnitCount
        }
    }
#endif
