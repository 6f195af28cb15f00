#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Counts the bytes of a task and tells its delegate, as Foundation does for its own protocols.
    struct TaskProgress {
        private let task: URLSessionTask?
        private let internals: TaskInternals?
        private let session: URLSession?
        private var expected = NSURLSessionTransferSizeUnknown
        private var hasSent = false

        init(_ task: URLSessionTask?, _ internals: TaskInternals?, _ session: URLSession?) {
            self.task = task
            self.internals = internals
            self.session = session
        }

        /// Notes that the request's body was sent, once.
        mutating func sent(_ count: Int) {
            guard !hasSent, let task else { return }
            hasSent = true
            let count = Int64(count)
            internals?.countSent(count)
            guard let session, let delegate = task.delegate else { return }
            session.delegateQueue.addOperation {
                delegate.urlSession(
                    session,
                    task: task,
                    didSendBodyData: count,
                    totalBytesSent: count,
                    totalBytesExpectedToSend: count
                )
            }
        }

        /// Notes the length that the response states.
        mutating func expect(_ length: Int64) {
            expected = length > 0 ? length : NSURLSessionTransferSizeUnknown
        }

        /// Notes a piece of the response's body.
        func received(_ count: Int) {
            guard let task else { return }
            internals?.countReceived(Int64(count), of: expected)
            let total = task.countOfBytesReceived
            task.progress.totalUnitCount = expected > 0 ? task.countOfBytesSent + expected : -1
            task.progress.completedUnitCount = task.countOfBytesSent + total
            guard let session, let download = task as? URLSessionDownloadTask,
                let delegate = task.delegate as? URLSessionDownloadDelegate
            else { return }
            let (written, expected) = (Int64(count), expected)
            session.delegateQueue.addOperation {
                delegate.urlSession(
                    session,
                    downloadTask: download,
                    didWriteData: written,
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
