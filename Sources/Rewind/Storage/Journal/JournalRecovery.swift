import Foundation

/// Recovers the interactions of runs that ended early or could not save their recording, and stores them in `talk.recovered.har` beside the cassette.
///
/// Such a recording is incomplete. Like the recording of a failed test, it does not replace the cassette.
struct JournalRecovery {
    let location: CassetteLocation
    let redaction: Redaction

    /// Recovers and deletes the journals of ended processes. If that fails, prints a note, and the journals stay.
    func run() {
        // The lock shows that the process has ended, because its ID may be in use again. It also excludes other processes.
        let names = [JournalName(of: location.destination)] + JournalName.outside(of: location.destination)
        let journals = names.flatMap { $0.existing() }.compactMap { url in
            TemporaryFile.claim(url.path).map { (url: url, descriptor: $0) }
        }
        defer { for journal in journals { close(journal.descriptor) } }
        var recovered: [(url: URL, contents: JournalContents)] = []
        for (url, _) in journals {
            do {
                if let contents = JournalContents(try Data(contentsOf: url)) {
                    recovered.append((url, contents))
                } else {
                    Note.print("\(url.path) is not a readable journal; delete it if you do not need it")
                }
            } catch {
                Note.print("the journal \(url.path) cannot be read: \(SystemCallError.cause(of: error))")
            }
        }
        recovered.sort { $0.contents.header.start < $1.contents.header.start }
        guard !recovered.isEmpty else { return }
        do {
            try keep(recovered.map(\.contents))
            for (url, contents) in recovered {
                if let problem = contents.problem {
                    Note.print(
                        "did not delete the journal \(url.path), because a part of it cannot be read: \(problem)"
                    )
                } else {
                    _ = FileOperations.current.remove(url.path)
                }
            }
        } catch {
            let paths = recovered.map(\.url.path).joined(separator: ", ")
            Note.print(
                "could not recover the recording of an earlier run in \(paths): \(SystemCallError.cause(of: error))"
            )
        }
    }

    private func keep(_ contents: [JournalContents]) throws {
        let interactions = contents.flatMap(\.interactions)
        guard !interactions.isEmpty else { return }
        let safe = redaction.credentialCheck.map { interactions.map($0.withholding) } ?? interactions
        let rules = SaveRedaction(redaction: redaction, known: [:])
        let url = try CassetteFile(location).saveRecovered(safe, redaction: rules)
        for contents in contents where !contents.interactions.isEmpty { report(contents, url) }
    }

    private func report(_ contents: JournalContents, _ url: URL) {
        let (count, header) = (contents.interactions.count, contents.header)
        let cause = contents.end?.clause ?? "from a run that ended early"
        var text = """
            recovered \(count == 1 ? "1 interaction" : "\(count) interactions") of \(location.destination.path) \
            \(cause) (process \(header.process), started at \(HARDate.text(header.start)), mode `\(header.mode)`)
              \(count == 1 ? "It is" : "They are") in \(url.path). The cassette was not changed. Check the file, then rename \
            it to \(header.cassette) to play it, or delete it.
            """
        if contents.end == nil, contents.brokenLines > 0 {
            text += "\n  The interaction that the run was writing when it ended is lost."
        }
        let isWithheld = contents.interactions.contains {
            $0.redactedPlaces.contains(CredentialCheck.withheldNote)
        }
        if isWithheld { text += "\n  Values that looked like credentials were replaced with REDACTEDwithheld." }
        Note.print(text)
    }
}
