#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Counts the bytes of a task and tells its delegate, as Foundation does for its own protocols.
    struct TaskProgress {
        private let task: URLSessionTask?
        private let internals: TaskInternals?
        private let session: URLSession?
        private var expected = NSURLSessionTransferSizeUnknown
        private var total: Int64 = 0
        private var sentCount: Int64 = 0

        init(_ task: URLSessionTask?, _ internals: TaskInternals?, _ session: URLSession?) {
            self.task = task
            self.internals = internals
            self.session = session
        }

        /// Notes that the request's body was sent, once.
        mutating func sent(_ count: Int) {
            guard sentCount == 0, let task else { return }
            let count = Int64(count)
            sentCount = count
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
        mutating func received(_ count: Int) {
            guard let task else { return }
            total += Int64(count)
            internals?.countReceived(total, of: expected)
            let total = total
            task.progress.totalUnitCount = expected > 0 ? sentCount + expected : -1
            task.progress.completedUnitCount = sentCount + total
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
