import Foundation
import Rewind

/// What the owner of a cassette server may change while it serves.
struct DoorSettings: Sendable {
    var unrecordedRequestHandler: CassetteServer.UnrecordedRequestHandler?
    var responseTransformer: CassetteServer.ResponseTransformer?
    var rewritesBodies = false
    var didServe: (@Sendable (ServedRequest) -> Void)?
}
