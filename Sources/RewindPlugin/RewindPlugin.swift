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
        // Built here and not as a dependency of the plugin, which SwiftPM would build for each build of the package's tests.
        let parameters = PackageManager.BuildParameters(configuration: .inherit, logging: .concise)
        let build = try packageManager.build(.product("rewind"), parameters: parameters)
        guard build.succeeded, let tool = build.builtArtifacts.first(where: { $0.kind == .executable }) else {
            Diagnostics.error("the command `rewind` cannot be built: \(build.logText)")
            exit(1)
        }
        let process = Process()
        process.executableURL = tool.url
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
