import Foundation
import PackagePlugin

/// Adds the Swift code of the README and of every article to the target that uses this plugin: to `RecipeTests` the code
/// for other libraries, and to any other target the rest.
@main
struct SampleExtraction: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let tool = try context.tool(named: "ExtractSamples").url
        let isForRecipes = target.name == "RecipeTests"
        return documents(in: context.package.directoryURL).filter {
            !isForRecipes
                || (try? String(contentsOf: $0, encoding: .utf8))?.contains("<!-- sample: recipe") == true
        }.map { document in
            // The folder as well, because several folders have a README.
            let name = document.deletingPathExtension().pathComponents.suffix(2).joined(separator: "-")
            let output = context.pluginWorkDirectoryURL.appendingPathComponent("\(name)-Samples.swift")
            return .buildCommand(
                displayName: "Extracting the samples of \(document.lastPathComponent)",
                executable: tool,
                arguments: (isForRecipes ? ["--recipes"] : []) + [document.path, output.path],
                inputFiles: [document],
                outputFiles: [output]
            )
        }
    }

    private func documents(in root: URL) -> [URL] {
        let files = ["Docs", "Sources"].flatMap { name in
            let folder = root.appendingPathComponent(name)
            return FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        }
        let articles = files.compactMap { $0 as? URL }.filter { $0.pathExtension == "md" }
        return [root.appendingPathComponent("README.md")] + articles.sorted { $0.path < $1.path }
    }
}
