/// A request that is being decided about, whose header fields are found out only where they matter.
struct AskedRequest: Sendable {
    /// As much of it as costs nothing to know.
    let light: Request
    private let completed: @Sendable () -> Request

    init(_ light: Request, completed: @escaping @Sendable () -> Request) {
        self.light = light
        self.completed = completed
    }

    /// All of it.
    var full: Request { completed() }
}
