import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A small shop, like the model of an app. It contains no code for tests, except for the bugs that can be planted.
public actor Shop {
    /// A mistake that many apps make.
    public enum Bug: CaseIterable, Sendable {
        /// A 503 is tried again without end, so that the app shows a spinner forever.
        case retriesForever
        /// An order whose answer is lost is sent again, so that the customer pays twice.
        case ordersAgain
        /// An answer that is not what the app expects becomes an error that no screen explains.
        case leaksErrors
        /// A product without a price is free.
        case givesAway
        /// The results of an earlier search replace those of the current one.
        case showsOldResults
    }

    /// The errors that the app explains to its user.
    public enum Failure: Error, Hashable {
        case unavailable, soldOut
    }

    /// A product.
    public struct Product: Decodable, Sendable {
        /// Its number.
        public let id: Int
        /// Its name.
        public let name: String
        /// Its price in cents; `nil` if the answer has none.
        public let price: Int?
    }

    /// An order that the shop has accepted.
    public struct Order: Decodable, Sendable {
        /// Its number.
        public let id: Int
    }

    private struct NewOrder: Encodable {
        let product: Int
        let cents: Int
    }

    private let bugs: Set<Bug>
    private let baseURL: URL
    private let session: URLSession
    private var query = ""
    /// The number of orders that were sent.
    public private(set) var sentOrders = 0
    /// The price of the last order in cents.
    public private(set) var paid: Int?
    /// The names of the products that the last search found.
    public private(set) var results: [String] = []

    /// Creates a shop.
    /// - Parameters:
    ///   - baseURL: The address of the server; port 8017 of this machine by default.
    ///   - session: The session that makes the requests; the shared one by default.
    ///   - bugs: The mistakes; none by default.
    public init(baseURL: URL? = nil, session: URLSession = .shared, bugs: Set<Bug> = []) {
        self.baseURL = baseURL ?? URL(string: "http://127.0.0.1:8017") ?? URL(fileURLWithPath: "/")
        self.session = session
        self.bugs = bugs
    }

    /// Orders the first product.
    public func buyFirstProduct() async throws -> Order {
        let products: [Product] = try await answer(to: request("shop/products"))
        guard let product = products.first else { throw Failure.soldOut }
        guard let price = product.price ?? (bugs.contains(.givesAway) ? 0 : nil) else {
            throw Failure.unavailable
        }
        var order = try request("shop/orders")
        order.httpMethod = "POST"
        order.setValue("application/json", forHTTPHeaderField: "Content-Type")
        order.httpBody = try JSONEncoder().encode(NewOrder(product: product.id, cents: price))
        sentOrders += 1
        paid = price
        do {
            return try await answer(to: order)
        } catch Failure.unavailable where bugs.contains(.ordersAgain) {
            sentOrders += 1
            return try await answer(to: order)
        }
    }

    /// Searches for products, as after each letter that the user types.
    public func type(_ text: String) -> Task<Void, any Error> {
        query = text
        return Task { try await search(text) }
    }

    private func search(_ text: String) async throws {
        let found: [Product] = try await answer(to: request("shop/search?q=\(text)"))
        if query == text || bugs.contains(.showsOldResults) { results = found.map(\.name) }
    }

    private func request(_ path: String) throws -> URLRequest {
        guard let url = URL(string: path, relativeTo: baseURL) else { throw Failure.unavailable }
        return URLRequest(url: url.absoluteURL)
    }

    private func answer<Answer: Decodable>(to request: URLRequest) async throws -> Answer {
        let data = try await data(for: request)
        do {
            return try JSONDecoder().decode(Answer.self, from: data)
        } catch {
            throw bugs.contains(.leaksErrors) ? error : Failure.unavailable
        }
    }

    private func data(for request: URLRequest) async throws -> Data {
        while true {
            do {
                let (data, response) = try await session.data(for: request)
                switch (response as? HTTPURLResponse)?.statusCode ?? 0 {
                case 200..<300: return data
                case 503 where bugs.contains(.retriesForever): try await Task.sleep(for: .milliseconds(10))
                default: throw Failure.unavailable
                }
            } catch is URLError {
                throw Failure.unavailable
            }
        }
    }
}
