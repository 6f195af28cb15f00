/// What a server has done so far.
struct ServerCounts: Hashable, Sendable {
    var requests = 0
    var connections = 0
    var openConnections = 0
    var busyConnections = 0
    var threads = 0
}
