import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whether the sessions of this process are intercepted: from the first route to the last.
///
/// Nothing happens when the program is loaded. What is installed is verified, and undone when nobody needs it.
final class Interception: Sendable {
    static let shared = Interception()

    private let sessions: Installation
    private let storage: Installation
    private let classes = Locked<[ObjectIdentifier: Int]>([:])

    /// Makes one around the platform's ways to intercept, which tests replace by some that fail.
    init(
        sessions: @escaping Installation.Step = SessionInterception.install,
        storage: @escaping Installation.Step = SharedStorage.install
    ) {
        self.sessions = Installation(sessions)
        self.storage = Installation(storage)
    }

    func retain(_ type: CassetteURLProtocol.Type, isolating: Bool) {
        sessions.retain()
        // Where requests are not intercepted, the storage they use is not to be changed either.
        if isolating { storage.retain(installing: sessions.isInstalled) }
        classes.withLock { classes in
            classes[ObjectIdentifier(type), default: 0] += 1
            if classes[ObjectIdentifier(type)] == 1 { SessionInterception.register(type) }
        }
    }

    /// Lets a class go; the last one undoes everything.
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

/// A change to the process that lasts as long as somebody needs it.
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

    /// Makes the change for its first user; prints a note where that fails.
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
        this platform's URLSession cannot be intercepted as a whole (\(cause)).
          Requests of sessions that were not made for a stubber go to the network, unrecorded.
          Give the code under test `stubber.session`, or call `stubber.install(in: configuration)`.
        """
    }
}

struct StorageIsolationError: Error, CustomStringConvertible {
    let cause: String

    var description: String {
        """
        tests cannot have their own cookies, credentials and cached responses on this platform (\(cause)).
          Requests carry what HTTPCookieStorage.shared and URLCredentialStorage.shared hold.
          Give the code under test `stubber.session`, or call `stubber.install(in: configuration)`.
        """
    }
}
