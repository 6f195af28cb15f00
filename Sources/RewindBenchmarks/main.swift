import Foundation

let status = await BenchmarkTool(arguments: Array(CommandLine.arguments.dropFirst())).run()
exit(status)
