import Foundation

/// Keeps the interactions of runs that ended too early in `talk.recovered.har` beside the cassette.
///
/// Such a recording is incomplete and, like that of a failed test, replaces nothing.
struct JournalRecovery {
    let location: CassetteLocation
    let redaction: Redaction

    /// Recovers the journals of ended processes, or prints why it cannot; they stay then.
    func run() {
        // Only the lock shows that a process has ended, as its number may be reused. It also keeps other processes away.
        let journals = JournalName(of: location.destination).existing().compactMap { url in
            TemporaryFile.claim(url.path).map { (url: url, descriptor: $0) }
        }
        defer { for journal in journals { close(journal.descriptor) } }
        var recovered: [(url: URL, contents: JournalContents)] = []
        for (url, _) in journals {
            do {
                if let contents = JournalContents(try Data(contentsOf: url)) {
                    recovered.append((url, contents))
                } else {
                    Note.print("\(url.path) is no journal that can be read; delete it, if it is of no use")
                }
            } catch {
                Note.print("the journal \(url.path) cannot be read: \(error.localizedDescription)")
            }
        }
        recovered.sort { $0.contents.header.start < $1.contents.header.start }
        guard !recovered.isEmpty else { return }
        do {
            try keep(recovered.map(\.contents))
            for (url, contents) in recovered {
                if let problem = contents.problem {
                    Note.print("the journal \(url.path) stays, for not all of it can be read: \(problem)")
                } else {
                    _ = FileOperations.current.remove(url.path)
                }
            }
        } catch {
            let paths = recovered.map(\.url.path).joined(separator: ", ")
            Note.print("what an earlier run recorded stays in \(paths), for \(error.localizedDescription)")
        }
    }

    private func keep(_ contents: [JournalContents]) throws {
        let interactions = contents.flatMap(\.interactions)
        guard !interactions.isEmpty else { return }
        let safe = redaction.credentialCheck.map { interactions.map($0.withholding) } ?? interactions
        let secrets = SecretKeeping(redaction: redaction, known: [:])
        let url = try CassetteFile(location).saveRecovered(safe, keeping: secrets)
        for contents in contents where !contents.interactions.isEmpty { report(contents, url) }
    }

    private func report(_ contents: JournalContents, _ url: URL) {
        let (count, header) = (contents.interactions.count, contents.header)
        var text = """
            a run that ended too early (process \(header.process), begun at \(HARDate.text(header.start)), mode \
            `\(header.mode)`) had recorded \(count == 1 ? "1 interaction" : "\(count) interactions") for \
            \(location.destination.path)
              \(count == 1 ? "It is" : "They are") kept as \(url.path), which replaces nothing. Look through it, and \
            rename it to \(header.cassette) to play it, or delete it.
            """
        if contents.brokenLines > 0 { text += "\n  What it was writing when it ended is dropped." }
        let isWithheld = contents.interactions.contains {
            $0.redactedPlaces.contains(CredentialCheck.withheldNote)
        }
        if isWithheld { text += "\n  What looked like a credential was not written; it reads <withheld>." }
        Note.print(text)
    }
}
