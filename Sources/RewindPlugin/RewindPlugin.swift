import Foundation
import PackagePlugin

/// `swift package rewind …` runs the `rewind` command in the package's folder.
///
/// The plugin declares no permission, because SwiftPM would then ask for it even if a subcommand only reads cassettes.
/// For a subcommand that writes, pass SwiftPM's own option before the name of the plugin:
///
/// ```
/// swift package rewind list
/// swift package --allow-writing-to-package-directory rewind prune --apply
/// ```
@main
struct RewindPlugin: CommandPlugin {
    /// Runs the command and exits with its status.
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let process = Process()
        // A plugin finds a tool of its own package by the name of the target.
        process.executableURL = try context.tool(named: "RewindCLI").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        // SwiftPM exits with the plugin's status, so it must be the status of the command.
        if process.terminationReason != .exit || process.terminationStatus != 0 {
            exit(process.terminationReason == .exit ? process.terminationStatus : 1)
        }
    }
}
