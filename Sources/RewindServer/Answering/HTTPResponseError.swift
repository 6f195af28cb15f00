/// What a handler did wrong with the answer it writes.
package enum HTTPResponseError: Error, Hashable, Sendable {
    /// The status code does not have three digits.
    case invalidStatus(Int)
    /// The reason phrase has a control character.
    case invalidReason(String)
    /// The field name is no token, so that it could inject another field.
    case invalidFieldName(String)
    /// The field value has a carriage return, a line feed or a NUL, so that it could inject another field.
    case invalidFieldValue(name: String, value: String)
    /// The fields state a length that is not one decimal number.
    case invalidContentLength(String)
    /// The body has more bytes than the fields state.
    case contentTooLong(by: Int)
    /// The body ended before it had as many bytes as the fields state.
    case contentTooShort(by: Int)
    /// The fields state a transfer coding that this answer cannot have.
    case unsupportedTransferEncoding(String)
    /// The answer was begun already.
    case alreadyAnswered
    /// The body was continued though no answer was begun, or after its end.
    case notStreaming
    /// The handler closed or cut the connection before.
    case connectionClosed
    /// The handler returned without an answer.
    case notAnswered
}

extension HTTPResponseError: CustomStringConvertible {
    /// The sentence that tells the handler's author what to change.
    package var description: String {
        switch self {
        case .invalidStatus(let status): "\(status) is not a status code of three digits."
        case .invalidReason(let reason): "The reason phrase \(reason.debugDescription) has a control character."
        case .invalidFieldName(let name): "\(name.debugDescription) is not a field name."
        case .invalidFieldValue(let name, let value):
            "The value \(value.debugDescription) of the field \(name) has a line end or a NUL."
        case .invalidContentLength(let text): "The Content-Length \(text.debugDescription) is not one number."
        case .contentTooLong(let count): "The body is \(count) bytes longer than its Content-Length."
        case .contentTooShort(let count): "The body is \(count) bytes shorter than its Content-Length."
        case .unsupportedTransferEncoding(let coding):
            "The answer cannot have the Transfer-Encoding \(coding.debugDescription)."
        case .alreadyAnswered: "The request was answered already."
        case .notStreaming: "There is no answer to continue: begin one, and do not continue it after its end."
        case .connectionClosed: "The handler closed the connection before."
        case .notAnswered: "The handler returned without an answer."
        }
    }
}
