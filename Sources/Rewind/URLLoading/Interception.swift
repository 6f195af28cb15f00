import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Intercepts the sessions of this process while at least one route is active.
///
/// Nothing happens when the program is loaded. Each change is verified, and undone when the last route ends.
final class Interception: Sendable {
    static let shared = Interception()

    private let sessions: Installation
    private let storage: Installation
    private let classes = Locked<[ObjectIdentifier: Int]>([:])

    /// Creates an interception from the platform's install functions, which tests replace by failing ones.
    init(
        sessions: @escaping Installation.Step = SessionInterception.install,
        storage: @escaping Installation.Step = SharedStorage.install
    ) {
        self.sessions = Installation(sessions)
        self.storage = Installation(storage)
    }

    func retain(_ type: CassetteURLProtocol.Type, isolating: Bool) {
        sessions.retain()
        // The storage is not changed if requests are not intercepted.
        if isolating { storage.retain(installing: sessions.isInstalled) }
        classes.withLock { classes in
            classes[ObjectIdentifier(type), default: 0] += 1
            if classes[ObjectIdentifier(type)] == 1 { SessionInterception.register(type) }
        }
    }

    /// Releases a class; the last release undoes all changes.
    func release(_ type: CassetteURLProtocol.Type, isolating: Bool) {
        classes.withLock { classes in
            let uses = classes[ObjectIdentifier(type)] ?? 0
            classes[ObjectIdentifier(type)] = uses > 1 ? uses - 1 : nil
            if uses == 1 { SessionInterception.unregister(type) }
        }
        if isolating { storage.release() }
        sessions.release()
    }

    var isInstalled: Bool { sessions.isInstalled }
    var failure: String? { sessions.failure }
    var isolatesStorage: Bool { storage.isInstalled }
}

final class InterceptionHold: Sendable {
    private let type: CassetteURLProtocol.Type
    private let isIsolating: Bool

    init(of type: CassetteURLProtocol.Type, isolating: Bool) {
        self.type = type
        isIsolating = isolating
        Interception.shared.retain(type, isolating: isolating)
    }

    deinit { Interception.shared.release(type, isolating: isIsolating) }
}

/// A change to the process that lasts while it has users.
final class Installation: Sendable {
    typealias Step = @Sendable () throws -> @Sendable () -> Void

    private struct State: Sendable {
        var users = 0
        var undo: (@Sendable () -> Void)?
        var failure: String?
    }

    private let state = Locked(State())
    private let install: Step

    init(_ install: @escaping Step) { self.install = install }

    /// Makes the change for its first user; prints a note if that fails.
    func retain(installing: Bool = true) {
        let failure = state.withLock { state -> String? in
            state.users += 1
            guard state.users == 1, state.undo == nil, installing else { return nil }
            do {
                state.undo = try install()
                state.failure = nil
            } catch {
                state.failure = "\(error)"
            }
            return state.failure
        }
        if let failure { Note.print(failure) }
    }

    func release() {
        state.withLock { state in
            state.users -= 1
            guard state.users == 0 else { return }
            state.undo?()
            state.undo = nil
        }
    }

    var isInstalled: Bool { state.withLock { $0.undo != nil } }
    var failure: String? { state.withLock { $0.failure } }
}

struct InterceptionError: Error, CustomStringConvertible {
    let cause: String

    var description: String {
        """
        cannot intercept URLSession on this platform (\(cause)).
          Requests of sessions without a stubber go to the network and are not recorded.
          Use `stubber.session` in the code under test, or call `stubber.install(in: configuration)`.
        """
    }
}

struct StorageIsolationError: Error, CustomStringConvertible {
    let cause: String

    var description: String {
        """
        cannot isolate cookies, credentials and cached responses between tests on this platform (\(cause)).
          Requests use the cookies and credentials of HTTPCookieStorage.shared and URLCredentialStorage.shared.
          Use `stubber.session` in the code under test, or call `stubber.install(in: configuration)`.
        """
    }
}
