/// The sizes and waiting times beyond which the server refuses a request or drops a connection.
///
/// ```swift
/// var limits = HTTPLimits()
/// limits.contentBytes = 1_000
/// let server = HTTPServer(limits: limits) { _, response in try response.respond(status: 204) }
/// ```
package struct HTTPLimits: Hashable, Sendable {
    /// The longest request line, twice what RFC 9112 section 3 asks for: 16 KiB, else 414.
    package var requestLineBytes = 16 * 1024
    /// The longest header section or trailer section, line ends included: 64 KiB, else 431.
    package var fieldSectionBytes = 64 * 1024
    /// The greatest number of fields in a header section or trailer section: 256, else 431.
    package var fieldCount = 256
    /// The longest request body, without its chunk framing: 64 MiB, else 413.
    package var contentBytes = 64 * 1024 * 1024
    /// The greatest sum of all chunk extensions of one body (RFC 9112 section 7.1.1): 16 KiB, else 413.
    package var chunkExtensionBytes = 16 * 1024
    /// The longest silence of a client within a request: ten seconds, else 408.
    package var receiveTimeout = Duration.seconds(10)
    /// The longest time a client may take to send a head, however often it sends a byte of it: thirty seconds, else 408.
    package var headTimeout = Duration.seconds(30)
    /// The longest silence of a client between requests, after which the connection closes: one minute.
    package var idleTimeout = Duration.seconds(60)
    /// How long a thread waits for the next request of its connection before it leaves that to the one thread that
    /// watches all idle ones: half a second.
    package var threadIdleTimeout = Duration.milliseconds(500)
    /// The greatest number of connections that are answered at a time, each by a thread: 1,024; others wait.
    package var busyConnections = 1024
    /// The longest time a client may leave an answer unread before it loses the connection: thirty seconds.
    package var sendTimeout = Duration.seconds(30)
    /// The longest time `HTTPServer.stop()` waits for handlers that still run: five seconds.
    package var stopTimeout = Duration.seconds(5)

    /// Creates the default limits.
    package init() {}
}
