import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Interaction {
    /// A failure to get a response, as an error's domain, code and user info.
    public struct Failure: Hashable, Sendable {
        /// The domain, such as `NSURLErrorDomain`.
        public var domain: String
        /// The code within the domain, such as -1004 for a refused connection.
        public var code: Int
        /// The localized description of the error.
        public var message: String
        /// The error's user info, as far as a file can hold it; `nil` where it is not known.
        ///
        /// An error that is made from a failure without user info names the URL, and has the message as its description.
        package var userInfo: [String: UserInfoValue]?
        /// Whether the request's body had been sent when it failed.
        package var bodyWasSent = false

        /// A value in an error's user info.
        package indirect enum UserInfoValue: Hashable, Sendable {
            /// Text.
            case text(String)
            /// A number.
            case number(Double)
            /// A truth value.
            case flag(Bool)
            /// A URL other than the request's.
            case url(String)
            /// The URL of the request, which the error names as a `URL`.
            case requestURL
            /// The URL of the request, which the error names as text.
            case requestURLText
            /// An error, such as the underlying one.
            case failure(Interaction.Failure)
            /// Several values.
            case list([UserInfoValue])
        }

        /// Creates a failure.
        /// - Parameters:
        ///   - domain: The error's domain; `NSURLErrorDomain` by default.
        ///   - code: The error's code within the domain.
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

        /// Creates a failure from any error, without its user info.
        public init(_ error: any Error) {
            let error = error as NSError
            self.init(domain: error.domain, code: error.code, message: error.localizedDescription)
        }

        /// Creates a failure from the error of a request, with its user info.
        /// - Parameters:
        ///   - error: The error.
        ///   - url: The URL of the request, which is not kept, as it may have secrets.
        package init(_ error: any Error, ofRequestTo url: URL?) {
            let error = error as NSError
            self.init(error)
            userInfo = error.userInfo.compactMapValues { UserInfoValue($0, ofRequestTo: url) }
        }

        /// Foundation's constant for this key is deprecated, but errors still have it.
        static let failingURLTextKey = "NSErrorFailingURLStringKey"

        /// The cancellation of a request by its app; without user info, unlike a load the live side cancelled itself.
        static let cancellation = Interaction.Failure(code: NSURLErrorCancelled)

        /// Creates a failure like Foundation's own: it names the request's URL and an underlying error with the same text.
        init(code: Int, naming text: String) {
            let description = [NSLocalizedDescriptionKey: UserInfoValue.text(text)]
            let underlying = Interaction.Failure(code: code, message: text, userInfo: description)
            let rest: [String: UserInfoValue] = [
                NSUnderlyingErrorKey: .failure(underlying), NSURLErrorFailingURLErrorKey: .requestURL,
                Self.failingURLTextKey: .requestURLText,
            ]
            self.init(code: code, message: text, userInfo: description.merging(rest) { $1 })
        }

        /// Whether the app cancelled the request, rather than the live side.
        package var isCancellationByApp: Bool {
            domain == NSURLErrorDomain && code == NSURLErrorCancelled && userInfo == nil
        }

        /// Changes every text that may contain a secret.
        mutating func changeTexts(_ change: (String) -> String) {
            message = change(message)
            userInfo = userInfo?.mapValues { $0.changingTexts(change) }
        }

        /// The error a task fails with; a `URLError` where the domain says so.
        func error(for url: URL?) -> any Error {
            let error = NSError(domain: domain, code: code, userInfo: information(for: url))
            return domain == NSURLErrorDomain ? URLError(_nsError: error) : error
        }

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
