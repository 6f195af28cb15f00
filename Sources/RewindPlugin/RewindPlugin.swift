import Foundation
import PackagePlugin

/// `swift package rewind …`: the `rewind` command, run in the folder of the package.
///
/// It declares no permission, for one would be asked for also where a cassette is only looked at. What writes is given
/// leave by the words of the call, which stand before its own:
///
/// ```
/// swift package rewind list
/// swift package --allow-writing-to-package-directory rewind prune --apply
/// ```
@main
struct RewindPlugin: CommandPlugin {
    /// Runs the command to its end, and fails where it fails.
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let process = Process()
        // Within a package a tool has the name of its target.
        process.executableURL = try context.tool(named: "RewindCLI").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        // A plugin that ends is all that the caller sees, so that its status has to be that of the command.
        if process.terminationReason != .exit || process.terminationStatus != 0 {
            exit(process.terminationReason == .exit ? process.terminationStatus : 1)
        }
    }
}
