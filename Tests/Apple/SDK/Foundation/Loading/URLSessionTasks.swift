// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers (Foundation/NSURLSession.rs).
// Async methods: Apple's documentation.

open class URLSessionTask: NSObject, NSCopying, ProgressReporting, @unchecked Sendable {
    public enum State: Int, Sendable { case running, suspended, canceling, completed }
    public class var defaultPriority: Float { 0.5 }
    public class var lowPriority: Float { 0.25 }
    public class var highPriority: Float { 0.75 }
    open func copy(with zone: NSZone? = nil) -> Any { shim() }
    open var taskIdentifier: Int { shim() }
    open var originalRequest: URLRequest? { shim() }
    open var currentRequest: URLRequest? { shim() }
    open var response: URLResponse? { shim() }
    open var delegate: (any URLSessionTaskDelegate)? {
        get { shim() }
        set { shim() }
    }
    open var progress: Progress { shim() }
    open var earliestBeginDate: Date? {
        get { shim() }
        set { shim() }
    }
    open var countOfBytesSent: Int64 { shim() }
    open var countOfBytesReceived: Int64 { shim() }
    open var countOfBytesExpectedToSend: Int64 { shim() }
    open var countOfBytesExpectedToReceive: Int64 { shim() }
    open var taskDescription: String? {
        get { shim() }
        set { shim() }
    }
    @objc open func cancel() { shim() }
    open var state: State { shim() }
    open var error: (any Error)? { shim() }
    @objc open func suspend() { shim() }
    @objc open func resume() { shim() }
    open var priority: Float {
        get { shim() }
        set { shim() }
    }
    open var prefersIncrementalDelivery: Bool {
        get { shim() }
        set { shim() }
    }
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) { shim() }
    open func cancelByProducingResumeData() async -> Data? { shim() }
}

open class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {}

open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    public enum Message: Sendable { case data(Data), string(String) }
    @objc public enum CloseCode: Int, Sendable {
        case invalid = 0
        case normalClosure = 1000
        case goingAway = 1001
        case protocolError = 1002
        case unsupportedData = 1003
        case noStatusReceived = 1005
        case abnormalClosure = 1006
        case invalidFramePayloadData = 1007
        case policyViolation = 1008
        case messageTooBig = 1009
        case mandatoryExtensionMissing = 1010
        case internalServerError = 1011
        case tlsHandshakeFailure = 1015
    }
    open func send(_ message: Message) async throws { shim() }
    open func receive() async throws -> Message { shim() }
    open func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) { shim() }
    open func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) { shim() }
    open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) { shim() }
    open func cancel(with closeCode: CloseCode, reason: Data?) { shim() }
    open var maximumMessageSize: Int {
        get { shim() }
        set { shim() }
    }
    open var closeCode: CloseCode { shim() }
    open var closeReason: Data? { shim() }
}

open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { shim() }
    open var taskInterval: DateInterval { shim() }
    open var redirectCount: Int { shim() }
}

open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    open var request: URLRequest { shim() }
    open var response: URLResponse? { shim() }
}
