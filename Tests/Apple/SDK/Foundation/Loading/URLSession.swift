// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSURLSession.rs).
// Async methods and availability: Apple's documentation.

public let NSURLSessionTransferSizeUnknown: Int64 = -1

open class URLSession: NSObject, @unchecked Sendable {
    @objc public enum DelayedRequestDisposition: Int, Sendable { case continueLoading, useNewRequest, cancel }
    @objc public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
    @objc public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }

    open class var shared: URLSession { shim() }
    public init(configuration: URLSessionConfiguration) { shim() }
    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) { shim() }
    open var delegateQueue: OperationQueue { shim() }
    open var delegate: (any URLSessionDelegate)? { shim() }
    open var configuration: URLSessionConfiguration { shim() }
    open var sessionDescription: String? {
        get { shim() }
        set { shim() }
    }
    open func finishTasksAndInvalidate() { shim() }
    open func invalidateAndCancel() { shim() }
    open func reset(completionHandler: @escaping @Sendable () -> Void) { shim() }
    open func reset() async { shim() }
    open func flush(completionHandler: @escaping @Sendable () -> Void) { shim() }
    open func flush() async { shim() }
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) { shim() }
    open var allTasks: [URLSessionTask] { get async { shim() } }
    open var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async { shim() }
    }
    open func dataTask(with request: URLRequest) -> URLSessionDataTask { shim() }
    open func dataTask(with url: URL) -> URLSessionDataTask { shim() }
    open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask { shim() }
    open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask { shim() }
    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
    open func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask { shim() }
    open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask { shim() }
    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { shim() }
    open func downloadTask(with url: URL) -> URLSessionDownloadTask { shim() }
    open func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask { shim() }
    open func streamTask(withHostName hostname: String, port: Int) -> URLSessionStreamTask { shim() }
    open func webSocketTask(with url: URL) -> URLSessionWebSocketTask { shim() }
    open func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask { shim() }
    open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask { shim() }
}

// A category in Objective-C.
extension URLSession {
    public func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { shim() }
    public func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { shim() }
    public func uploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask { shim() }
    public func uploadTask(
        with request: URLRequest,
        from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask { shim() }
    public func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask { shim() }
    public func downloadTask(
        with url: URL,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask { shim() }
    public func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask { shim() }

    public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { shim() }
    public func data(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { shim() }
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { shim() }
    public func upload(
        for request: URLRequest,
        from bodyData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { shim() }
    public func download(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) { shim() }
    public func download(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) { shim() }
    public func bytes(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) { shim() }
    public func bytes(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) { shim() }

    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> UInt8? { shim() }
        }
        public var task: URLSessionDataTask { shim() }
        public func makeAsyncIterator() -> AsyncIterator { shim() }
    }
}
