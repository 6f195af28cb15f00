import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whether the sessions of this process are intercepted: from the first route to the last.
///
/// Nothing happens when the program is loaded. What is installed is verified, and undone when nobody needs it.
final class Interception: Sendable {
    static let shared = Interception()

    private struct State: Sendable {
        /// How often each protocol class that takes part was retained.
        var uses: [ObjectIdentifier: Int] = [:]
        var undo: (@Sendable () -> Void)?
        var failure: String?
    }

    private let state = Locked(State())
    private let install: @Sendable () throws -> @Sendable () -> Void

    /// Makes one around the platform's way to intercept, which tests replace by one that fails.
    init(install: @escaping @Sendable () throws -> @Sendable () -> Void = SessionInterception.install) {
        self.install = install
    }

    /// Intercepts every session of the process, and lets a protocol class take part.
    func retain(_ type: CassetteURLProtocol.Type) {
        let failure = state.withLock { state -> String? in
            let uses = state.uses[ObjectIdentifier(type)] ?? 0
            state.uses[ObjectIdentifier(type)] = uses + 1
            defer { if uses == 0 { _ = URLProtocol.registerClass(type) } }
            guard state.uses.count == 1, uses == 0, state.undo == nil else { return nil }
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

    /// Lets a protocol class go that was retained; the last one undoes everything.
    func release(_ type: CassetteURLProtocol.Type) {
        state.withLock { state in
            guard let uses = state.uses[ObjectIdentifier(type)] else { return }
            state.uses[ObjectIdentifier(type)] = uses > 1 ? uses - 1 : nil
            guard uses == 1 else { return }
            URLProtocol.unregisterClass(type)
            guard state.uses.isEmpty else { return }
            state.undo?()
            state.undo = nil
        }
    }

    /// Whether sessions that were not made for a stubber are intercepted.
    var isInstalled: Bool { state.withLock { $0.undo != nil } }

    /// Why they are not, where it was tried and failed.
    var failure: String? { state.withLock { $0.failure } }
}

/// The platform's sessions cannot be intercepted.
struct InterceptionError: Error, CustomStringConvertible {
    /// What was found other than expected.
    let cause: String

    var description: String {
        """
        this platform's URLSession cannot be intercepted as a whole (\(cause)).
          Requests of sessions that were not made for a stubber go to the network, unrecorded.
          Give the code under test `stubber.session`, or call `stubber.install(in: configuration)`.
        """
    }
}
