import Rewind
import Testing

extension Condition {
    /// Whether it holds, where all ways to ask agree on it.
    func holds(for request: Request) -> Bool {
        let holds = matches(request)
        let mismatch = mismatch(with: request)
        let subject = ConditionSubject(request)
        #expect((captures(in: request) != nil) == holds, "\(self) of \(request)")
        #expect((mismatch == nil) == holds, "\(self) of \(request)")
        #expect(mismatch?.isEmpty != true, "\(self) of \(request)")
        #expect(captures(in: subject) == captures(in: request), "\(self) of \(request)")
        #expect(self.mismatch(with: subject) == mismatch, "\(self) of \(request)")
        return holds
    }

    /// Whether it holds for a `GET` of a URL, where all ways to ask agree on it.
    func holds(forURL url: String) -> Bool {
        holds(for: Request(url: url))
    }
}
