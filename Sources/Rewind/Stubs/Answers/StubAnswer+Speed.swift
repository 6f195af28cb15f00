extension StubAnswer {
    /// How fast the bytes of an answer arrive.
    ///
    /// The named speeds are those of OHHTTPStubs 9.1.0 (`HTTPStubsResponse.m`), whose kilobyte has 1000 bytes.
    public struct Speed: Hashable, Sendable {
        /// The number of bytes in a second.
        public let bytesPerSecond: Int

        /// A number of bytes in a second, at least one.
        public static func bytesPerSecond(_ count: Int) -> Speed {
            Speed(bytesPerSecond: count)
        }

        /// GPRS: 56 kbit/s, 7,000 bytes in a second.
        public static let gprs = Speed(bytesPerSecond: 7_000)
        /// EDGE: 128 kbit/s, 16,000 bytes in a second.
        public static let edge = Speed(bytesPerSecond: 16_000)
        /// 3G: 3.2 Mbit/s, 400,000 bytes in a second.
        public static let threeG = Speed(bytesPerSecond: 400_000)
        /// 3G+: 7.2 Mbit/s, 900,000 bytes in a second.
        public static let threeGPlus = Speed(bytesPerSecond: 900_000)
        /// Wi-Fi: 12 Mbit/s, 1,500,000 bytes in a second.
        public static let wifi = Speed(bytesPerSecond: 1_500_000)
    }
}
