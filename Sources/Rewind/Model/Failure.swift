import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Interaction {
    /// An error in place of a complete response: its domain, code and message.
    public struct Failure: Hashable, Sendable {
        /// The error's domain, such as `NSURLErrorDomain`.
        public var domain: String
        /// The error's code, such as -1004 (`NSURLErrorCannotConnectToHost`) for a refused connection.
        public var code: Int
        /// The error's localized description.
        public var message: String
        /// The parts of the error's user info that a file can store; `nil` if it is unknown.
        ///
        /// If it is `nil`, the error on replay contains the URL and the message.
        package var userInfo: [String: UserInfoValue]?
        /// Whether the request body had been sent when the error occurred.
        package var bodyWasSent = false
        /// The error of a stub, which is delivered as it is. It exists in this process only: no file can store it.
        @NotCompared package private(set) var given: (any Error)?

        /// A value in an error's user info.
        package indirect enum UserInfoValue: Hashable, Sendable {
            /// A string.
            case text(String)
            /// A number.
            case number(Double)
            /// A Boolean.
            case flag(Bool)
            /// A URL other than the request's.
            case url(String)
            /// The URL of the request, as a `URL`.
            case requestURL
            /// The URL of the request, as a string.
            case requestURLText
            /// An error, such as the underlying one.
            case failure(Interaction.Failure)
            /// Several values.
            case list([UserInfoValue])
        }

        /// Creates a failure.
        /// - Parameters:
        ///   - domain: The error's domain; `NSURLErrorDomain` by default.
        ///   - code: The error's code, such as `NSURLErrorTimedOut`.
        ///   - message: The localized description; empty by default.
        public init(domain: String = NSURLErrorDomain, code: Int, message: String = "") {
            self.domain = domain
            self.code = code
            self.message = message
        }

        package init(
            domain: String = NSURLErrorDomain,
            code: Int,
            message: String = "",
            userInfo: [String: UserInfoValue]?
        ) {
            self.init(domain: domain, code: code, message: message)
            self.userInfo = userInfo
        }

        /// Creates a failure from an error, without its user info.
        /// - Parameter error: The error; its domain, code and localized description are copied.
        public init(_ error: any Error) {
            let error = error as NSError
            self.init(domain: error.domain, code: error.code, message: error.localizedDescription)
        }

        /// Creates a failure that is delivered as the given error: the same value or object.
        /// - Parameter error: The error of a stub.
        package init(delivering error: any Error) {
            self.init(error)
            given = error
        }

        /// Creates a failure from the error of a request, with its user info.
        /// - Parameters:
        ///   - error: The error.
        ///   - url: The URL of the request. It is not stored, because it may contain secrets.
        package init(_ error: any Error, ofRequestTo url: URL?) {
            let error = error as NSError
            self.init(error)
            userInfo = error.userInfo.compactMapValues { UserInfoValue($0, ofRequestTo: url) }
        }

        /// Creates a failure from the error of a client, which is delivered as it is in this process.
        /// - Parameters:
        ///   - error: The error. A Swift error without a localized description is described by its own text, which may be all
        ///     that tells it from others of its type.
        ///   - url: The URL of the request. It is not stored, because it may contain secrets.
        package init(ofClient error: any Error, to url: URL?) {
            self.init(error, ofRequestTo: url)
            given = error
            guard !(type(of: error) is NSObject.Type), !(error is any CustomNSError) else { return }
            domain = Self.withoutContext(domain)
            if (error as? any LocalizedError)?.errorDescription == nil { message = "\(error)" }
            userInfo?[NSLocalizedDescriptionKey] = .text(message)
        }

        /// The name of a type without the address of the context of a private type, which differs in each run.
        private static func withoutContext(_ name: String) -> String {
            guard let start = name.range(of: "(unknown context at "),
                let end = name.range(of: ").", options: .backwards)
            else { return name }
            return String(name[..<start.lowerBound] + name[end.upperBound...])
        }

        /// Foundation deprecated the constant for this key, but errors still contain it.
        static let failingURLTextKey = "NSErrorFailingURLStringKey"

        /// The user info with which the loading system names the request.
        static let requestURLs: [String: UserInfoValue] = [
            NSURLErrorFailingURLErrorKey: .requestURL, failingURLTextKey: .requestURLText,
        ]

        /// The cancellation of a request by the app. It has no user info, unlike the error of a live load that was cancelled.
        static let cancellation = Interaction.Failure(code: NSURLErrorCancelled)

        /// Creates a failure like those of Foundation, with the request's URL and an underlying error with the same text.
        init(code: Int, naming text: String) {
            let description = [NSLocalizedDescriptionKey: UserInfoValue.text(text)]
            let underlying = Interaction.Failure(code: code, message: text, userInfo: description)
            let cause = [NSUnderlyingErrorKey: UserInfoValue.failure(underlying)]
            let rest = cause.merging(Self.requestURLs) { $1 }
            self.init(code: code, message: text, userInfo: description.merging(rest) { $1 })
        }

        /// Whether the app cancelled the request, and not the live load.
        package var isCancellationByApp: Bool {
            domain == NSURLErrorDomain && code == NSURLErrorCancelled && userInfo == nil && given == nil
        }

        /// Changes every text that may contain a secret.
        mutating func changeTexts(_ change: (String) -> String) {
            message = change(message)
            userInfo = userInfo?.mapValues { $0.changingTexts(change) }
        }

        /// The error with which a task fails: that of a stub, or a `URLError` if the domain is `NSURLErrorDomain`.
        func error(for url: URL?) -> any Error {
            if let given { return given }
            let error = NSError(domain: domain, code: code, userInfo: information(for: url))
            return domain == NSURLErrorDomain ? URLError(_nsError: error) : error
        }

        /// The error that a client other than URLSession receives. Errors of the standard library and of the system have their
        /// own types, as code catches them by type.
        func clientError(for url: URL?) -> any Error {
            if given == nil {
                if isCancellationByApp || domain == Self.cancellationDomain { return CancellationError() }
                if domain == NSPOSIXErrorDomain {
                    let error = NSError(domain: domain, code: code, userInfo: information(for: url))
                    return POSIXError(_nsError: error)
                }
            }
            return error(for: url)
        }

        /// The domain of `CancellationError`.
        static let cancellationDomain = "Swift.CancellationError"

        private func information(for url: URL?) -> [String: Any] {
            if let userInfo { return userInfo.compactMapValues { $0.object(for: url) } }
            var information: [String: Any] = [:]
            if !message.isEmpty { information[NSLocalizedDescriptionKey] = message }
            if let url {
                information[NSURLErrorFailingURLErrorKey] = url
                information[Self.failingURLTextKey] = url.absoluteString
            }
            return information
        }
    }
}

extension Interaction.Failure.UserInfoValue {
    fileprivate init?(_ value: Any, ofRequestTo url: URL?) {
        switch value {
        case let text as String: self = text == url?.absoluteString ? .requestURLText : .text(text)
        case let flag as Bool where !(value is Int || value is Double): self = .flag(flag)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let value as URL: self = value == url ? .requestURL : .url(value.absoluteString)
        case let values as [Any]: self = .list(values.compactMap { Self($0, ofRequestTo: url) })
        case let error as NSError: self = .failure(Interaction.Failure(error, ofRequestTo: url))
        default: return nil
        }
    }

    fileprivate func object(for url: URL?) -> Any? {
        switch self {
        case .text(let text): text
        case .number(let number): Int(exactly: number) ?? number
        case .flag(let flag): flag
        case .url(let text): URL(string: text)
        case .requestURL: url
        case .requestURLText: url?.absoluteString
        case .failure(let failure):
            NSError(domain: failure.domain, code: failure.code, userInfo: failure.information(for: url))
        case .list(let values): values.compactMap { $0.object(for: url) }
        }
    }

    fileprivate func changingTexts(_ change: (String) -> String) -> Self {
        switch self {
        case .text(let text): return .text(change(text))
        case .url(let text): return .url(change(text))
        case .failure(var failure):
            failure.changeTexts(change)
            return .failure(failure)
        case .list(let values): return .list(values.map { $0.changingTexts(change) })
        case .number, .flag, .requestURL, .requestURLText: return self
        }
    }
}
