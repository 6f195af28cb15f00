#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import RewindTestSupport
    import XCTest

    @testable import Rewind

    /// The shared storage objects have another class while tests run, and their own class afterwards.
    final class StorageReplacementTests: XCTestCase {
        private var classes: [ObjectIdentifier] {
            [HTTPCookieStorage.shared, URLCredentialStorage.shared, URLCache.shared].map {
                ObjectIdentifier(type(of: $0 as AnyObject))
            }
        }

        private let original = [HTTPCookieStorage.self, URLCredentialStorage.self, URLCache.self].map {
            ObjectIdentifier($0 as AnyClass)
        }

        func testTheClassesAreReplacedWhileATestRuns() throws {
            XCTAssertEqual(classes, original)
            try withStubs { _ in
                XCTAssertTrue(Interception.shared.isolatesStorage)
                XCTAssertEqual(
                    classes,
                    [
                        Isolated.HTTPCookieStorage.self, Isolated.URLCredentialStorage.self,
                        Isolated.URLCache.self,
                    ]
                    .map { ObjectIdentifier($0 as AnyClass) }
                )
            }
            XCTAssertEqual(classes, original)
            XCTAssertFalse(Interception.shared.isolatesStorage)
        }

        func testClassesAreNotReplacedIfSessionsAreNotIntercepted() {
            let interception = Interception(sessions: { throw InterceptionError(cause: "simulated failure") })
            let stubber = Stubber(stubsOnly: Stubber.Configuration())
            let slot = StubberRegistry.shared.classes(for: stubber)
            Note.withReader({ _ in }) { interception.retain(slot.routed, isolating: true) }
            XCTAssertEqual(classes, original)
            XCTAssertFalse(interception.isolatesStorage)
            interception.release(slot.routed, isolating: true)
            XCTAssertEqual(classes, original)
        }

        func testAFailedReplacementPrintsANoteAndSessionsAreStillIntercepted() {
            let interception = Interception(storage: { throw StorageIsolationError(cause: "simulated failure") }
            )
            let slot = StubberRegistry.shared.classes(for: Stubber(stubsOnly: Stubber.Configuration()))
            let notes = Locked<[String]>([])
            Note.withReader({ note in notes.withLock { $0.append(note) } }) {
                interception.retain(slot.routed, isolating: true)
            }
            defer { interception.release(slot.routed, isolating: true) }
            XCTAssertEqual(notes.withLock { $0 }.count, 1)
            XCTAssertTrue(notes.withLock { $0 }.first?.contains("(simulated failure)") == true)
            XCTAssertTrue(interception.isInstalled)
            XCTAssertFalse(interception.isolatesStorage)
            XCTAssertEqual(classes, original)
        }

        // MARK: Memory layout

        private class Parent {
            var value = 1
            func number() -> Int { value }
        }
        private final class Child: Parent {
            override func number() -> Int { -value }
        }
        private final class Larger: Parent {
            var more = 2
        }
        private class Stranger {
            var value = 1
        }

        @inline(never) private func ask(_ object: Parent) -> Int { object.number() }

        func testAClassChangeAppliesUntilItIsUndone() throws {
            let object = Parent()
            let change = try ClassChange(of: object, to: Child.self)
            XCTAssertEqual(ask(object), -1)
            XCTAssertTrue(type(of: object) == Child.self)
            change.undo()
            XCTAssertEqual(ask(object), 1)
            change.undo()
            XCTAssertTrue(type(of: object) == Parent.self)
        }

        func testAnUnsuitableClassIsRejectedWithoutAChange() {
            let object = Parent()
            for type in [Larger.self, Stranger.self, Parent.self] as [AnyClass] {
                XCTAssertThrowsError(try ClassChange(of: object, to: type)) {
                    XCTAssertTrue("\($0)".contains("the shared Parent is not as expected"), "\($0)")
                }
                XCTAssertTrue(Swift.type(of: object) == Parent.self)
            }
        }

        func testEarlierChangesAreUndoneIfALaterOneFails() throws {
            let change = try ClassChange(
                of: URLCredentialStorage.shared,
                to: Isolated.URLCredentialStorage.self
            )
            XCTAssertThrowsError(try SharedStorage.install())
            XCTAssertTrue(type(of: HTTPCookieStorage.shared) == HTTPCookieStorage.self)
            change.undo()
            XCTAssertEqual(classes, original)
        }
    }
#endif
