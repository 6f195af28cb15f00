/// Why an entry has no body that could be played.
struct BodyAbsence: Error {
    let reason: String

    static let invalidBase64 = BodyAbsence(reason: "the body is not valid base64")
    static let invalidRequestBase64 = BodyAbsence(reason: "the body of the request is not valid base64")
}
