import Foundation
import Testing

/// What the tests of OHHTTPStubs, Mocker, Mockingjay and LaserDisc check, as one table: the same here, different on
/// purpose with the text of an article, or missing with the reason.
@Suite(.serialized)
struct PredecessorBehaviorTests {
    @Test("The conditions of OHHTTPStubs", arguments: OHHTTPStubsConditionRows.all)
    func ohhttpStubsConditions(_ row: PredecessorBehavior) async throws { try await row.check() }

    @Test("What OHHTTPStubs loads", arguments: OHHTTPStubsLoadingRows.all)
    func ohhttpStubsLoading(_ row: PredecessorBehavior) async throws { try await row.check() }

    @Test("The redirects of OHHTTPStubs", arguments: OHHTTPStubsRedirectRows.all)
    func ohhttpStubsRedirects(_ row: PredecessorBehavior) async throws { try await row.check() }

    @Test("Mocker", arguments: MockerRows.all)
    func mocker(_ row: PredecessorBehavior) async throws { try await row.check() }

    @Test("Mockingjay", arguments: MockingjayRows.all)
    func mockingjay(_ row: PredecessorBehavior) async throws { try await row.check() }

    @Test("LaserDisc", arguments: LaserDiscRows.all)
    func laserDisc(_ row: PredecessorBehavior) async throws { try await row.check() }

    @Test("No row occurs twice")
    func distinct() {
        let tables = [
            OHHTTPStubsConditionRows.all, OHHTTPStubsLoadingRows.all, OHHTTPStubsRedirectRows.all,
            MockerRows.all,
            MockingjayRows.all, LaserDiscRows.all,
        ]
        for table in tables { #expect(Set(table.map(\.testDescription)).count == table.count) }
    }
}
