import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The error of a stub reaches the app as it is: the same value or object, with its user info.
@Suite(.serialized)
struct StubErrorDeliveryTests {
    private static let url = URL(string: "https://api.example.com/users/42")!

    private enum AppError: Error, Equatable {
        case quota(remaining: Int)
    }

    private final class DetailedError: NSError, @unchecked Sendable {
        let detail = "the disk is full"
    }

    private static func detailedError() -> NSError {
        let cause = NSError(domain: NSPOSIXErrorDomain, code: 28, userInfo: ["path": "/tmp"])
        return DetailedError(
            domain: "App",
            code: 7,
            userInfo: [NSUnderlyingErrorKey: cause, "hint": Date(timeIntervalSince1970: 1)]
        )
    }

    @Test(
        "An error of the app's own type arrives as that type in every kind of task",
        arguments: ErrorForm.allCases
    )
    func ownType(form: ErrorForm) async throws {
        let folder = try TemporaryDirectory()
        try Data("body".utf8).write(to: folder["body"])
        try await withStubs { stubber in
            stubber.stub(.path("/fixed"), respond: .failure(AppError.quota(remaining: 3)))
            stubber.stub(.path("/thrown")) { _ in throw AppError.quota(remaining: 4) }
            let fixed = await form.errors(of: Self.url.replacingPath("/fixed"), file: folder["body"])
            #expect(fixed.received as? AppError == .quota(remaining: 3))
            let thrown = await form.errors(of: Self.url.replacingPath("/thrown"), file: folder["body"])
            #expect(thrown.received as? AppError == .quota(remaining: 4))
            if let ofTask = thrown.ofTask { #expect(ofTask as? AppError == .quota(remaining: 4)) }
        }
    }

    @Test("An object of a subclass of NSError arrives as the same object with all of its user info")
    func sameObject() async throws {
        let error = Self.detailedError()
        try await withStubs { stubber in
            stubber.stub(.path("/fixed"), respond: .failure(error))
            stubber.stub(.path("/thrown")) { _ in throw error }
            for path in ["/fixed", "/thrown"] {
                for form in ErrorForm.allCases where form != .uploadOfFile {
                    let received = await form.errors(of: Self.url.replacingPath(path), file: Self.url).received
                    #expect((received as? NSError) === error, "\(path) \(form)")
                    #expect((received as? DetailedError)?.detail == "the disk is full")
                    let cause = (received as? NSError)?.userInfo[NSUnderlyingErrorKey] as? NSError
                    #expect(cause?.userInfo["path"] as? String == "/tmp")
                    #expect((received as? NSError)?.userInfo["hint"] is Date)
                }
            }
        }
    }

    @Test("A URLError keeps its user info, and gets none that it did not have")
    func urlError() async throws {
        let other = try #require(URL(string: "https://other.example.com/"))
        let full = URLError(.cannotFindHost, userInfo: [NSURLErrorFailingURLErrorKey: other, "tries": 3])
        try await withStubs { stubber in
            stubber.stub(.path("/full"), respond: .failure(full))
            stubber.stub(.path("/plain")) { _ in throw URLError(.networkConnectionLost) }
            stubber.stub(.path("/code"), respond: .failure(.notConnectedToInternet))
            let received = await ErrorForm.handler.errors(of: Self.url.replacingPath("/full")).received
            #expect((received as? URLError)?.failingURL == other)
            #expect((received as? URLError)?.errorUserInfo["tries"] as? Int == 3)
            let plain = await ErrorForm.async.errors(of: Self.url.replacingPath("/plain")).received
            #expect((plain as? URLError)?.code == .networkConnectionLost)
            #expect((plain as? URLError)?.errorUserInfo.isEmpty == true)
            // A code alone becomes an error like those of the loading system.
            let code = Self.url.replacingPath("/code")
            let coded = await ErrorForm.async.errors(of: code).received as? URLError
            #expect(coded?.code == .notConnectedToInternet && coded?.failingURL == code)
        }
    }

    @Test("The error survives delays, sequences, nested scopes and a redirect")
    func wherever() async throws {
        let clock = PlaybackClock(advancesItself: true)
        var configuration = Stubber.Configuration()
        configuration.clock = clock
        try await withStubs(configuration: configuration) { stubber in
            let failure = StubAnswer.failure(AppError.quota(remaining: 1))
            stubber.stub(.path("/late"), respond: failure.delayed(by: .seconds(5)).throttled(to: .gprs))
            stubber.stub(
                .path("/second"),
                respond: .sequence([.status(204), failure.jittered(by: 0.5, seed: 1)])
            )
            stubber.stub(.path("/moved"), respond: .redirect(to: "/late"))
            try await withStubs(configuration: configuration) { _ in
                for path in ["/late", "/moved"] {
                    let error = await ErrorForm.async.errors(of: Self.url.replacingPath(path)).received
                    #expect(error as? AppError == .quota(remaining: 1), "\(path)")
                }
            }
            let second = Self.url.replacingPath("/second")
            #expect(await ErrorForm.handler.errors(of: second).received == nil)
            #expect(await ErrorForm.handler.errors(of: second).received as? AppError == .quota(remaining: 1))
        }
    }

    @Test("A stub's cancellation fails the request at once, as a code, an error and a thrown error")
    func cancellation() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/code"), respond: .failure(.cancelled))
            stubber.stub(.path("/error"), respond: .failure(URLError(.cancelled)))
            stubber.stub(.path("/thrown")) { _ in throw URLError(.cancelled) }
            stubber.stub(.path("/swift")) { _ in throw CancellationError() }
            for path in ["/code", "/error", "/thrown"] {
                let error = await ErrorForm.async.errors(of: Self.url.replacingPath(path)).received
                #expect((error as? URLError)?.code == .cancelled, "\(path)")
            }
            let swift = await ErrorForm.async.errors(of: Self.url.replacingPath("/swift")).received
            #expect(swift is CancellationError)
        }
    }
}

extension StubErrorDeliveryTests {
    private struct FullDisk: LocalizedError {
        var errorDescription: String? { "the disk is full" }
    }

    @Test("A server reports the description, domain and code of a stub's error")
    func cassetteServer() async throws {
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        let server = try CassetteServer(stubber, upstreams: .url(Self.url.replacingPath("/")))
        stubber.stub(.path("/own"), respond: .failure(FullDisk()))
        stubber.stub(.path("/late")) { _ in throw URLError(.timedOut) }
        stubber.stub(.path("/cancelled"), respond: .failure(.cancelled))
        let url = try server.start()
        try await withStubs { client in
            client.stub(.host("127.0.0.1"), respond: .passthrough)
            let own = await Outcome(of: url.replacingPath("/own"))
            #expect(own.status == 502 && own.text.contains("the disk is full ("), "\(own)")
            #expect(own.text.contains("FullDisk 1)") && own.headers["X-Rewind-Failure"] == "1")
            let late = await Outcome(of: url.replacingPath("/late"))
            #expect(late.status == 504 && late.headers["X-Rewind-Failure"] == "\(NSURLErrorTimedOut)")
            let cancelled = await Outcome(of: url.replacingPath("/cancelled"))
            #expect(
                cancelled.status == 502 && cancelled.headers["X-Rewind-Failure"] == "\(NSURLErrorCancelled)"
            )
        }
        try server.stop()
    }
}

/// The ways in which an app receives an error.
enum ErrorForm: CaseIterable {
    case handler, async, sessionDelegate, taskDelegate, upload, uploadOfFile, bodyStream, download,
        asyncDownload

    /// The error that the app receives, and that of the task if the app has the task.
    func errors(
        of url: URL,
        file: URL = URL(fileURLWithPath: "/")
    ) async -> (received: (any Error)?, ofTask: (any Error)?) {
        let session = URLSession(configuration: .default)
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: url)
        switch self {
        case .handler: return await handled { session.dataTask(with: request, completionHandler: $0) }
        case .async: return (await thrown { _ = try await session.data(for: request) }, nil)
        case .sessionDelegate:
            let delegate = ErrorDelegate()
            let own = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
            defer { own.finishTasksAndInvalidate() }
            let task = own.dataTask(with: request)
            return (await delegate.error(of: task), task.error)
        case .taskDelegate:
            return (await thrown { _ = try await session.data(for: request, delegate: ErrorDelegate()) }, nil)
        case .upload:
            request.httpMethod = "POST"
            return await handled {
                session.uploadTask(with: request, from: Data("body".utf8), completionHandler: $0)
            }
        case .uploadOfFile:
            request.httpMethod = "POST"
            return await handled { session.uploadTask(with: request, fromFile: file, completionHandler: $0) }
        case .bodyStream:
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data("body".utf8))
            return await handled { session.dataTask(with: request, completionHandler: $0) }
        case .download:
            let error: (any Error)? = await withCheckedContinuation { continuation in
                session.downloadTask(with: request) { continuation.resume(returning: $2) }.resume()
            }
            return (error, nil)
        case .asyncDownload: return (await thrown { _ = try await session.download(for: request) }, nil)
        }
    }

    private func handled(
        _ make: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
    ) async -> (received: (any Error)?, ofTask: (any Error)?) {
        let task = Locked<URLSessionTask?>(nil)
        let error: (any Error)? = await withCheckedContinuation { continuation in
            let made = make { continuation.resume(returning: $2) }
            task.withLock { $0 = made }
            made.resume()
        }
        return (error, task.withLock { $0?.error })
    }

    private func thrown(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch { return error }
    }
}

private final class ErrorDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let continuation = Locked<CheckedContinuation<(any Error)?, Never>?>(nil)

    func error(of task: URLSessionTask) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            self.continuation.withLock { $0 = continuation }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.withLock { $0 }?.resume(returning: error)
    }
}
