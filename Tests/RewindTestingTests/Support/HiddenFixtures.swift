import Foundation
import RewindTestSupport
import RewindTesting
import Testing

/// Has the name of a function in another file. `TestCommandTests` runs both with the commands that their misses print.
@Test(.enabled(if: FixtureSetting.server != nil, "run by TestCommandTests in a child process"), .cassette)
private func hiddenFixture() async {
    guard let url = FixtureSetting.server?.appendingPathComponent("visit") else { return }
    _ = await Outcome(of: url)
}
