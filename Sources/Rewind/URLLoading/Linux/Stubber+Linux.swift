#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension Stubber {
        /// Makes a session that exists already ask this stubber about every HTTP request it makes from now on.
        ///
        /// Only swift-corelibs-foundation reads a session's configuration again for each task; on Apple's platforms a
        /// session keeps the one it was made with. The session keeps its storage of cookies and credentials too.
        /// - Parameter session: The session.
        public func install(in session: URLSession) {
            putSlot(into: session.configuration)
            SlotTable.shared.keep(self)
        }
    }
#endif
