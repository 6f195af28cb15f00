// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
// Source: madsmtm/objc2-generated, generated from Apple's headers
// (Foundation/NSURLAuthenticationChallenge.rs).

@objc public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
    func cancel(_ challenge: URLAuthenticationChallenge)
    @objc optional func performDefaultHandling(for challenge: URLAuthenticationChallenge)
    @objc optional func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}

open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    public init(
        protectionSpace space: URLProtectionSpace,
        proposedCredential credential: URLCredential?,
        previousFailureCount: Int,
        failureResponse response: URLResponse?,
        error: (any Error)?,
        sender: any URLAuthenticationChallengeSender
    ) { shim() }
    public init(
        authenticationChallenge challenge: URLAuthenticationChallenge,
        sender: any URLAuthenticationChallengeSender
    ) { shim() }
    open var protectionSpace: URLProtectionSpace { shim() }
    open var proposedCredential: URLCredential? { shim() }
    open var previousFailureCount: Int { shim() }
    open var failureResponse: URLResponse? { shim() }
    open var error: (any Error)? { shim() }
    open var sender: (any URLAuthenticationChallengeSender)? { shim() }
}
