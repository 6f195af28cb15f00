import Foundation

/// Compares the time of some work for an input with the time for one four times as large.
enum Growth {
    /// The ratio of the two times. It is about 4 if the time is linear, and 16 if it is quadratic.
    ///
    /// The processor time of this thread is measured, so a busy machine hardly matters.
    static func ratio(_ size: Int, limit: Double = limit, _ work: (Int) throws -> Void) rethrows -> Double {
        var ratio = Double.infinity
        var best = (small: Double.infinity, large: Double.infinity)
        // Only a suspicious measurement is repeated. The best of many is not disturbed by other work on the machine.
        for _ in 0..<64 where ratio > limit {
            best.small = min(best.small, try time { try work(size) })
            best.large = min(best.large, try time { try work(size * 4) })
            ratio = best.large / best.small
        }
        return ratio
    }

    /// The ratio that linear work stays below.
    static let limit = 8.0

    /// The processor time of this thread in seconds.
    static func time(_ work: () throws -> Void) rethrows -> Double {
        let start = now
        try work()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
