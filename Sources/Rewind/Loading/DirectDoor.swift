/// The way in for requests that are no tasks of a URLSession, such as those that a server receives.
package struct DirectDoor: Sendable {
    private let stubber: Stubber
    private let loader: LiveLoader

    /// Opens a door to a stubber.
    package init(_ stubber: Stubber) {
        self.stubber = stubber
        loader = .of(stubber)
    }

    /// Asks the stubber about a request, and acts on its decision.
    /// - Parameter request: The request with all that is known of it.
    /// - Returns: The exchange that gives out the answer, part by part.
    package func ask(_ request: Request) -> DirectExchange {
        let exchange = DirectExchange(request, of: stubber, through: loader)
        exchange.start()
        return exchange
    }
}
