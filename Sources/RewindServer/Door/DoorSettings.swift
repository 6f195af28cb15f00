import Foundation
import Rewind

/// What the owner of a cassette server may change while it serves, and the port on which it does.
struct DoorSettings: Sendable {
    var port: UInt16 = 0
    var unrecordedRequestHandler: CassetteServer.UnrecordedRequestHandler?
    var responseTransformer: CassetteServer.ResponseTransformer?
    var rewritesBodies = false
    var didServe: (@Sendable (ServedRequest) -> Void)?
}
