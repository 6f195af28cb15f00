import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if DEBUG
    import Rewind
#endif

/// A command line tool that tests record and replay in a process of its own. It knows Rewind by one call only.
@main
enum WeatherTool {
    static func main() async {
        #if DEBUG
            Stubber.activateFromEnvironment()
        #endif
        let arguments = CommandLine.arguments.dropFirst()
        guard let base = arguments.first.flatMap(URL.init(string:)) else {
            return fail("usage: WeatherTool URL [command [argument]]")
        }
        let service = WeatherService(base: base)
        let command = arguments.dropFirst().first ?? "forecast"
        let argument = arguments.dropFirst(2).first ?? ""
        do {
            switch command {
            case "forecast": try await service.forecast(argument.isEmpty ? "Graz" : argument)
            case "get": try await service.get(argument)
            case "insist": try await service.insist(argument)
            case "handler": service.exitInHandler(argument)
            case "leave": service.leave(argument)
            case "detached": try await service.getDetached(argument)
            case "wait": try await service.getAndWait(argument)
            case "die": try await service.dieWithoutAnswer(argument)
            case "handle": try await service.handleSignal(argument)
            case "twice":
                #if DEBUG
                    let stubber = Stubber.activateFromEnvironment()
                    stubber?.deactivate()
                    print(Stubber.activateFromEnvironment() === stubber)
                #endif
                try await service.get(argument)
            case "relaunch": try service.relaunch(argument)
            default: fail("unknown command \(command)")
            }
        } catch {
            fail("\((error as NSError).localizedDescription)")
        }
    }

    static func fail(_ text: String) {
        FileHandle.standardError.write(Data("weather: \(text)\n".utf8))
        exit(1)
    }
}
