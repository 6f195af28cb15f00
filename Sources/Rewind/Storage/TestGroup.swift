import Foundation

/// The class or the suite of a test, after which the folder of its cassettes is named.
package struct TestGroup: Hashable, Sendable {
    /// The name of the class or the suite.
    package let name: String
    /// The module that declares it.
    package let module: String

    /// Names a class or a suite.
    package init(_ name: String, module: String) {
        self.name = name
        self.module = module
    }

    /// The location of the cassette of a test of the group.
    ///
    /// The folder of a group is named after it: `Cassettes/<Group>`. A recording names its module. Where the cassette there
    /// was recorded by another module, and the project has more than one group of this name, the test's own is in the folder
    /// beside it that has the module's name as well: `Cassettes/<Module>.<Group>`. If the project has
    /// only one group of the name, the test was moved or its module renamed, and the cassette is still its own.
    /// - Parameters:
    ///   - name: The name of the cassette.
    ///   - directory: The folder that the test names. One with another name than the group's is taken as it is.
    ///   - search: What tells where the project is, and where its cassettes are if it is out of reach.
    /// - Returns: The location.
    /// - Throws: ``ConfigurationError`` when the name leads out of the folder.
    package func location(of name: String, in directory: URL, _ search: CassetteSearch) throws
        -> CassetteLocation
    {
        let folder = search.reached(directory)
        var location = try CassetteLocation(name: name, in: folder)
        guard folder.directory.lastPathComponent == self.name else { return location }
        let own = CassetteSearch.Found(
            directory: folder.directory.deletingLastPathComponent()
                .appendingPathComponent("\(module).\(self.name)", isDirectory: true),
            isReadOnly: folder.isReadOnly
        )
        var ownLocation = try CassetteLocation(name: name, in: own)
        ownLocation.module = module
        if ownLocation.exists { return ownLocation }
        location.module = module
        guard let recorder = Cassette.recordingModule(of: location.current), recorder != module,
            let root = search.projectRoot, TestSources(root).hasSeveral(self.name)
        else { return location }
        return ownLocation
    }
}
