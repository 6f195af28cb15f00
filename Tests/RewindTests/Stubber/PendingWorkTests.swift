import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct PendingWorkTests {
    private let work = PendingWork()

    @Test("A token ends its work once, on request or when released")
    func tokens() {
        let first = work.begin()
        var second: PendingWork.Token? = work.begin(.callback)
        #expect(!work.isDone && second != nil)
        first.end()
        first.end()
        #expect(!work.isDone, "the second is still held")
        second = nil
        #expect(work.isDone)
    }

    @Test("A wait ends with the last piece of work or at its deadline")
    func waits() async throws {
        let token = work.begin()
        work.wait(for: .request, before: Deadline(after: 0.01))
        await work.wait(before: Deadline(after: 0.01))
        #expect(!work.isDone)
        // A wait for callbacks ignores requests.
        work.wait(for: .callback, before: Deadline(after: .infinity))
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { token.end() }
        await work.wait(before: Deadline(after: .infinity))
        #expect(work.isDone)
    }

    @Test("A wait ends with work that began when earlier work had just ended")
    func renewed() {
        let first = work.begin(.callback)
        var second: PendingWork.Token?
        let deadline = Deadline(after: 30)
        work.wait(for: .callback, before: deadline) { [work] _ in
            if let second {
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { second.end() }
            } else {
                first.end()
                second = work.begin(.callback)
            }
            return false
        }
        #expect(work.isDone)
        #expect(!deadline.isOver)
    }

    @Test("A request that is announced during a wait and does not begin is forgotten")
    func announcedLate() async throws {
        let isOver = try await onThread {
            let work = PendingWork()
            let request = work.begin()
            let deadline = Deadline(after: 60)
            let wasAnnounced = Locked(false)
            work.wait(before: deadline) { _ in
                if !wasAnnounced.withLock({ $0 }) {
                    wasAnnounced.withLock { $0 = true }
                    work.announce()
                    request.end()
                }
                return false
            }
            return deadline.isOver
        }
        #expect(!isOver)
    }

    @Test("A slow callback does not delay the end of other stubbers")
    func callbacks() {
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var slow = Stubber.Configuration()
        slow.requestMatchingFailed = { _ in
            began.signal()
            mayEnd.wait()
        }
        var quick = Stubber.Configuration()
        let told = Locked(0)
        quick.requestMatchingFailed = { _ in told.withLock { $0 += 1 } }
        let (one, other) = (Stubber(stubsOnly: slow), Stubber(stubsOnly: quick))
        _ = one.answer(to: Interaction.Request(url: "https://h/a"))
        began.wait()
        _ = other.answer(to: Interaction.Request(url: "https://h/a"))
        other.pendingWork.wait(before: Deadline(after: 60))
        #expect(told.withLock { $0 } == 1)
        #expect(other.isSettled && !one.isSettled)
        mayEnd.signal()
        one.settle()
        #expect(one.isSettled)
    }

    @Test("`canInit` without loading is not a request and does not delay the end")
    func predicate() async throws {
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        let classes = StubberRegistry.shared.classes(for: stubber)
        let request = URLRequest(url: try #require(URL(string: "https://h/a")))
        for _ in 0..<3 {
            #expect(classes.session.canInit(with: request))
            #expect(!classes.routed.canInit(with: request))
            #expect(stubber.run { classes.routed.canInit(with: request) })
        }
        await stubber.pendingWork.wait(before: Deadline(after: 60))
        #expect(stubber.isSettled && stubber.requests.isEmpty)
    }
}
