import Foundation

@testable import Rewind

/// Makes a number of pieces, each when it is asked for.
final class OneByOne: Sendable {
    private let make: @Sendable () async throws -> Data
    private let rest: Locked<Int>

    init(count: Int, _ make: @escaping @Sendable () async throws -> Data) {
        self.make = make
        rest = Locked(count)
    }

    @Sendable func next() async throws -> Data? {
        let isOver = rest.withLock { rest in
            rest -= 1
            return rest < 0
        }
        return isOver ? nil : try await make()
    }
}

/// A stream that several tasks may hold.
struct Relay: AsyncSequence, Sendable {
    let source: AsyncThrowingStream<Data, any Error>

    init(_ source: AsyncThrowingStream<Data, any Error>) { self.source = source }

    func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.AsyncIterator {
        source.makeAsyncIterator()
    }
}
