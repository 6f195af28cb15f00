import Foundation
import RewindTestSupport
import Testing

/// A git repository in a temporary folder, with the built command as `rewind` in `PATH`.
struct GitRepository {
    /// Whether git is installed.
    static let isAvailable = ChildProcess.isInstalled("git")
    static let need: Comment = "needs git: apt-get install git"

    /// The folder.
    let folder: TemporaryDirectory

    /// Creates a repository without commits.
    init() throws {
        folder = try TemporaryDirectory()
        try git("init", "--quiet", "--initial-branch", "main")
    }

    /// Runs git.
    @discardableResult
    func git(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
        let path = CommandRun.executable.deletingLastPathComponent().path
        var variables = [
            "PATH": path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""), "HOME": folder.url.path,
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat",
        ]
        for role in ["AUTHOR", "COMMITTER"] {
            variables["GIT_\(role)_NAME"] = "Somebody"
            variables["GIT_\(role)_EMAIL"] = "somebody@example.com"
            variables["GIT_\(role)_DATE"] = "2026-01-01T00:00:00Z"
        }
        return try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["git"] + arguments,
            environment: variables.merging(environment) { $1 },
            directory: folder.url
        )
    }

    /// Commits all files.
    func commit() throws {
        try git("add", "--all")
        try git("commit", "--quiet", "--message", "Something")
    }
}
