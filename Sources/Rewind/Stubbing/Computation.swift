/// An answer that code of the test has yet to give.
package struct Computation: Sendable {
    private let work: @Sendable () async -> Answer

    /// Creates a computation from the code that gives the answer.
    package init(_ work: @escaping @Sendable () async -> Answer) {
        self.work = work
    }

    /// Starts the code, which is cancelled with the request it answers.
    /// - Parameter receive: Given the answer, on a thread of its own.
    /// - Returns: The task that runs the code.
    package func start(_ receive: @escaping @Sendable (Answer) -> Void) -> Task<Void, Never> {
        Task { receive(await work()) }
    }
}
