/// A request that a stub is to answer.
///
/// It has all that the request has, and what the stub found in it:
///
/// ```swift
/// stubber.stub(.get("https://api.example.com/users/*")) { request in
///     .json(["id": request.wildcards[0], "page": request.url])
/// }
/// ```
@dynamicMemberLookup
public struct StubbedRequest: Sendable {
    /// The request as the app made it, its body included.
    public let request: Request
    /// What each wildcard of the condition stands for, from left to right, percent-decoded.
    public let wildcards: [String]
    /// The number of requests that the stub was asked about before this one.
    public let callNumber: Int

    /// A part of the request.
    public subscript<Part>(dynamicMember part: KeyPath<Request, Part>) -> Part {
        request[keyPath: part]
    }
}
