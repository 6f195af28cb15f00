import Foundation

/// What clients have to use so that their requests reach a server of Rewind: environment variables, and how to read them.
struct ClientSettings: Sendable {
    /// The variable with the address of the server.
    private static let addressVariable = "REWIND_BASE_URL"

    /// The variables, with the server that each one represents.
    private var variables: [(name: String, value: String, represented: String)] = []
    private let address: String
    private let isProxy: Bool

    /// A base URL for one server.
    /// - Parameters:
    ///   - address: The address of the server of Rewind.
    ///   - represented: The servers that it represents.
    init(address: URL, inPlaceOf represented: String) {
        self.address = address.absoluteString
        isProxy = false
        variables = [(Self.addressVariable, self.address, represented)]
    }

    /// A base URL for each upstream.
    /// - Parameters:
    ///   - address: The address of the server of Rewind.
    ///   - upstreams: The prefixes, such as `/api`, and their servers; none for a proxy.
    init(address: URL, upstreams: [(prefix: String, url: URL)]) {
        self.address = address.absoluteString
        isProxy = upstreams.isEmpty
        var names: Set = [Self.addressVariable]
        for (prefix, url) in upstreams {
            let path = prefix.hasSuffix("*") ? String(prefix.dropLast()) : prefix
            let parts = path.split(separator: "/")
            let name = parts.isEmpty ? Self.addressVariable : Self.name(of: path, excluding: names)
            names.insert(name)
            let base = parts.isEmpty ? self.address : self.address + "/" + parts.joined(separator: "/")
            variables.append((name, base, url.absoluteString))
        }
    }

    /// The name of the variable for a prefix: `REWIND_API_URL` for `/api`.
    private static func name(of prefix: String, excluding names: Set<String>) -> String {
        let words = prefix.uppercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = "REWIND_\(words.isEmpty ? "UPSTREAM" : words.joined(separator: "_"))"
        let free = ["\(name)_URL"] + (2...names.count + 2).map { "\(name)_\($0)_URL" }
        return free.first { !names.contains($0) } ?? "\(name)_URL"
    }

    /// Adds the variables to those of a command.
    func add(to environment: inout [String: String]) {
        environment[Self.addressVariable] = address
        for variable in variables { environment[variable.name] = variable.value }
        if isProxy { environment.useProxy(address) }
    }

    /// What to run in the shell of a client, with a line for each kind of client.
    var text: String {
        guard !isProxy, let first = variables.first else {
            let variables = "http_proxy=\(address) HTTP_PROXY=\(address) NODE_USE_ENV_PROXY=1"
            return """
                make http clients use this proxy, for example with
                  export \(variables)
                  unset no_proxy NO_PROXY
                """
        }
        // Without comments, which zsh does not accept at its prompt.
        let exports = variables.map { "  export \($0.name)=\(ShellWord.quoted($0.value))\n" }.joined()
        let base =
            variables.count == 1
            ? "this base URL" + (first.represented.isEmpty ? "" : " in place of \(first.represented)")
            : "these base URLs"
        return """
            clients use \(base), for example with
            \(exports)\
              curl      "$\(first.name)/"
              Python    httpx.Client(base_url=os.environ["\(first.name)"])
              Node.js   fetch(process.env.\(first.name) + "/")
              Swift     HTTPClientRequest(url: ProcessInfo.processInfo.environment["\(first.name)"]! + "/")
            """
    }
}

extension [String: String] {
    /// The variables that name the proxy for a scheme, or for all schemes.
    private static let proxyVariables = ["http_proxy", "https_proxy", "all_proxy"]

    /// Makes the clients in a process with these variables use a proxy for every request.
    ///
    /// Some clients read only the names in lower case, as curl does for `http_proxy`, and others prefer upper case, as Go
    /// does. An inherited SOCKS proxy in `ALL_PROXY` is replaced too.
    fileprivate mutating func useProxy(_ address: String) {
        for name in Self.proxyVariables {
            self[name] = address
            self[name.uppercased()] = address
        }
        // Requests to the hosts in this list would not be recorded. Python reads it in any case.
        for name in keys where name.lowercased() == "no_proxy" { self[name] = nil }
        // Without it, Node.js does not read the others.
        self["NODE_USE_ENV_PROXY"] = "1"
    }
}
