import ExampleBlog
import Foundation

// An app in a process of its own, which is told by its environment where the server is: `BASE_URL`.

let address = ProcessInfo.processInfo.environment["BASE_URL"].flatMap(URL.init(string:))
let posts = try await Blog(baseURL: address).timeline()
for post in posts.prefix(3) { print("\(post.id) \(post.title)") }
