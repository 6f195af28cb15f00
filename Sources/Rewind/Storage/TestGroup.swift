import Foundation

/// The class or the suite of a test. The folder of its cassettes is named after it.
package struct TestGroup: Hashable, Sendable {
    package let name: String
    package let module: String
    /// The name with those of the types around it.
    package let path: String

    package init(_ name: String, module: String, path: String? = nil) {
        self.name = name
        self.module = module
        self.path = path ?? name
    }

    /// The location of a cassette of the group, in `Cassettes/<Group>` or in a folder that the test names.
    ///
    /// If a test of another group with the same name has recorded this file, or one of a group that uses the same folder,
    /// the cassette is in a folder of its own: `Cassettes/<Module>.<Group>`, or `<Group>` in the folder that the test
    /// names. A group that is no longer in the project was renamed or moved, so its cassettes are used.
    ///
    /// A test that chooses the name of its cassette may share it with other groups.
    /// - Parameters:
    ///   - name: The name of the cassette.
    ///   - function: The method or function of the test.
    ///   - isChosen: Whether the name is another one than that of the test.
    ///   - directory: The folder of the cassettes.
    ///   - search: Finds the folder if it is out of reach, and the sources of the project.
    /// - Returns: The location, with the test as its recorder.
    /// - Throws: ``Stubber/ConfigurationError`` if the name is invalid.
    package func location(
        of name: String,
        recordedBy function: String? = nil,
        isChosen: Bool = false,
        in directory: URL,
        _ search: CassetteSearch
    ) throws -> CassetteLocation {
        let folder = search.reached(directory)
        let isOwn = folder.directory.lastPathComponent == self.name
        let recorder = RecordingTest(module: module, suite: path, test: function)
        func location(in directory: URL) throws -> CassetteLocation {
            let found = CassetteSearch.Found(directory: directory, isReadOnly: folder.isReadOnly)
            var location = try CassetteLocation(name: name, in: found)
            location.recorder = recorder
            return location
        }
        let shared = try location(in: folder.directory)
        guard isOwn || !isChosen else { return shared }
        let parent = isOwn ? folder.directory.deletingLastPathComponent() : folder.directory
        let ofModule = try location(in: parent.appendingPathComponent("\(module).\(path)", isDirectory: true))
        if ofModule.exists { return ofModule }
        let ofGroup = try location(in: parent.appendingPathComponent(path, isDirectory: true))
        let isApart = ofGroup.destination != shared.destination
        if isApart, ofGroup.exists, owns(ofGroup) { return ofGroup }
        let separate = isApart && (!ofGroup.exists || owns(ofGroup)) ? ofGroup : ofModule
        guard shared.exists else {
            // Another group may be recording this file at the same time.
            let isFirst = shared.isReadOnly || Self.first(of: "\(module).\(path)", for: shared.destination)
            return isFirst ? shared : separate
        }
        guard let other = Cassette.recorder(of: shared.current), let root = search.projectRoot else {
            return shared
        }
        if (other.suite ?? path) == path {
            guard other.module != module, TestSources(root).hasSeveral(path) else { return shared }
            return ofModule
        }
        guard !isChosen, let suite = other.suite, TestSources(root).declares(suite) else { return shared }
        return separate
    }

    private func owns(_ location: CassetteLocation) -> Bool {
        let recorder = Cassette.recorder(of: location.current)
        return recorder?.module == module && (recorder?.suite ?? path) == path
    }

    /// The first group of this process that asked for each file that did not exist.
    private static let firstGroups = Locked<[URL: String]>([:])

    private static func first(of group: String, for file: URL) -> Bool {
        firstGroups.withLock { groups in
            let first = groups[file] ?? group
            groups[file] = first
            return first == group
        }
    }
}
