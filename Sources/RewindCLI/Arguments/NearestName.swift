/// The name that somebody meant who wrote another one.
enum NearestName {
    /// The name that is most like a text; `nil` where none is much like it.
    static func of(_ text: String, among names: [String]) -> String? {
        let nearest = names.map { (name: $0, distance: distance(Array(text.utf8), Array($0.utf8))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(2, text.utf8.count / 3) else { return nil }
        return nearest.name
    }

    /// The number of letters that have to be put in, taken out or changed to make one text of another.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (position, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = position + 1
            for column in right.indices {
                let change = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
