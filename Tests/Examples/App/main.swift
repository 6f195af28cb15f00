import ExampleBlog
import Foundation

// An app in a separate process, which reads the URL of its server from the environment variable `BASE_URL`.

let address = ProcessInfo.processInfo.environment["BASE_URL"].flatMap(URL.init(string:))
let posts = try await Blog(baseURL: address).timeline()
for post in posts.prefix(3) { print("\(post.id) \(post.title)") }
