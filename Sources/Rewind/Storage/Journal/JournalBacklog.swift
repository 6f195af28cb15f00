import Foundation

/// The interactions that wait for a journal, which writes them together.
///
/// Each must be in the file 50 ms after it was added, however fast the machine and the build are. So the journal measures
/// how long it takes for a byte. It begins before the delay is over if much is waiting or nothing was measured yet, and
/// what would take too long is written while the adding thread waits.
struct JournalBacklog: Sendable {
    struct Entry: Sendable {
        let place: Int
        let interaction: Interaction
        fileprivate let size: Int
    }

    /// When to write after an interaction was added.
    enum Turn {
        /// Not for this one: what waits is going to be written anyway.
        case none
        case soon
        case now
        /// Before the adding thread continues.
        case atOnce
    }

    private let now: @Sendable () -> ContinuousClock.Instant
    private var waiting: [Entry] = []
    /// When the first that waits was added.
    private var start: ContinuousClock.Instant?
    private var waitingSize = 0
    /// The size of what is being written.
    private var writingSize = 0
    private var isScheduled = false
    private var isUrgent = false
    /// Whether the journal is busy with something else, which may take long.
    var isBlocked = false
    private var measured: Double?
    private var secondsPerByte: Double { measured ?? Self.firstSecondsPerByte }

    /// - Parameter now: Returns the time; that of the system by default.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    mutating func add(_ interaction: Interaction, at place: Int) -> Turn {
        let size = interaction.journalSize
        let isBehind = isBehind(adding: size)
        start = start ?? now()
        waiting.append(Entry(place: place, interaction: interaction, size: size))
        waitingSize += size
        if isBehind { return .atOnce }
        let wasUrgent = isUrgent
        isUrgent = measured == nil || seconds(for: waitingSize) > Self.greatestBatch
        if isUrgent, !wasUrgent {
            isScheduled = true
            return .now
        }
        defer { isScheduled = true }
        return isScheduled ? .none : .soon
    }

    /// Whether what waits would take too long with an interaction of this size.
    func isBehind(adding size: Int) -> Bool {
        isBlocked || isLate || seconds(for: waitingSize + writingSize + size) > Self.greatestBacklog
    }

    /// Whether the queue has not begun in time, because other programs use the processors.
    private var isLate: Bool {
        start.map { $0.duration(to: now()) > .milliseconds(Self.delay) + .seconds(Self.greatestBacklog) }
            ?? false
    }

    private func seconds(for size: Int) -> Double { Double(size) * secondsPerByte }

    /// Takes what to write next: the first that waits, and those behind it that do not delay it.
    mutating func begin() -> [Entry] {
        var (count, size) = (0, 0)
        for entry in waiting {
            guard count == 0 || seconds(for: size + entry.size) <= Self.greatestBatch else { break }
            count += 1
            size += entry.size
        }
        let batch = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        waitingSize -= size
        writingSize = size
        start = waiting.isEmpty ? nil : start
        if waiting.isEmpty { (isScheduled, isUrgent) = (false, false) }
        return batch
    }

    /// Ends the writing of what was taken.
    mutating func end(after seconds: Double) {
        // Falls slowly: the next interactions may take longer again, as JSON does after other text.
        if writingSize > 0 { measured = max(seconds / Double(writingSize), secondsPerByte * 0.95) }
        writingSize = 0
    }

    /// Forgets what waits.
    mutating func removeWaiting() {
        waiting = []
        start = nil
        waitingSize = 0
        (isScheduled, isUrgent) = (false, false)
    }

    /// How long the first interaction waits for others, in milliseconds.
    static let delay = 4
    /// What takes longer, in seconds, does not wait for others.
    private static let greatestBatch = 0.005
    /// What would take longer, in seconds, makes those wait who add to it.
    static let greatestBacklog = 0.015
    /// Before the first measurement: as long as it takes in a debug build.
    private static let firstSecondsPerByte = 400e-9
}

extension Interaction {
    /// About the number of bytes to redact and write. A small interaction takes as long as one of a kilobyte.
    fileprivate var journalSize: Int {
        var size = 1024 + request.url.utf8.count + (request.body?.count ?? 0)
        size += (response?.body.count ?? 0) + (response?.body.chunks.count ?? 0) * 16
        for headers in [request.headers, response?.headers ?? [:]] {
            for field in headers { size += field.name.utf8.count + field.value.utf8.count + 16 }
        }
        return size
    }
}
