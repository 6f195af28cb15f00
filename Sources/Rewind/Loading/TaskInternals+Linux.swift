#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    /// What a task of swift-corelibs-foundation knows and does not tell, read through its mirror.
    ///
    /// Each look costs some microseconds, so nothing here is asked before it is needed. Where a member is missing in
    /// another version of Foundation, the answer is `nil`, and the caller does without.
    struct TaskInternals {
        private let task: URLSessionTask

        init(_ task: URLSessionTask) {
            self.task = task
        }

        /// The session that made the task.
        var session: URLSession? {
            member("session", of: task).flatMap(unwrapped) as? URLSession
        }

        /// The queue on which the task and its protocol must be used.
        var workQueue: DispatchQueue? {
            member("workQueue", of: task) as? DispatchQueue
        }

        /// The body of an upload task, which its request does not show.
        enum UploadBody {
            case data(Data)
            case file(URL)
            case empty
        }

        /// The body of an upload task; `nil` where it is a stream that the delegate provides.
        var uploadBody: UploadBody? {
            guard let body = member("knownBody", of: task).flatMap(unwrapped) else { return nil }
            let known = Mirror(reflecting: body).children.first
            switch (known?.label, known?.value) {
            case ("data", let data as DispatchData): return .data(Data(data))
            case ("file", let url as URL): return .file(url)
            default: return UploadBody.empty
            }
        }

        /// Whether the task's events go to a delegate, piece by piece, and not to a completion handler.
        ///
        /// To be asked on the work queue only, for it reads the session's registry of tasks.
        var reportsToDelegate: Bool {
            guard let session, let registry = member("taskRegistry", of: session),
                let behaviours = member("behaviours", of: registry)
            else { return false }
            for entry in Mirror(reflecting: behaviours).children {
                let pair = Array(Mirror(reflecting: entry.value).children)
                guard pair.count == 2, pair[0].value as? Int == task.taskIdentifier else { continue }
                let label = Mirror(reflecting: pair[1].value).children.first?.label ?? "\(pair[1].value)"
                return label == "callDelegate"
            }
            return false
        }

        private func member(_ name: String, of subject: Any) -> Any? {
            var mirror: Mirror? = Mirror(reflecting: subject)
            while let level = mirror {
                if let child = level.children.first(where: { $0.label == name }) { return child.value }
                mirror = level.superclassMirror
            }
            return nil
        }

        private func unwrapped(_ value: Any) -> Any? {
            let mirror = Mirror(reflecting: value)
            return mirror.displayStyle == .optional ? mirror.children.first?.value : value
        }
    }
#endif
