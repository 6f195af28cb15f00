import Foundation

extension CredentialCheck {
    /// An interaction in which nothing looks like a credential, `<withheld>` standing where something did.
    ///
    /// It is for what is written before a recording is complete, when nobody can be asked yet.
    package func withholding(in interaction: Interaction) -> Interaction {
        guard !findings(in: interaction, number: 1).isEmpty else { return interaction }
        var interaction = interaction
        interaction.request = withholding(in: interaction.request)
        interaction.changeFailure { $0.changeTexts { withholding(in: $0) } }
        interaction.changeResponse { $0 = withholding(in: $0) }
        interaction.note(Self.withheldNote)
        return interaction
    }

    /// What is noted of an interaction from which something was withheld.
    package static let withheldNote = "withheld, as it looked like a credential"

    private static let withheld = Placeholder(name: "withheld")

    private func withholding(in request: Request) -> Request {
        var request = request
        request.url = withholding(in: request.url, spelling: .percent)
        request.headers = withholding(in: request.headers)
        request.editBody { withholding(in: $0) }
        return request
    }

    private func withholding(in response: Response) -> Response {
        var response = response
        response.headers = withholding(in: response.headers)
        response.editBody { withholding(in: $0) }
        return response
    }

    /// A name may be what makes its value look like one, so that they are looked at together.
    private func withholding(in headers: HeaderList) -> HeaderList {
        HeaderList(
            headers.map { field in
                let line = Data("\(field.name): \(field.value)".utf8)
                guard !scanner.findings(in: line).isEmpty else { return field }
                return HeaderList.Field(name: field.name, value: Self.withheld.text)
            }
        )
    }

    private func withholding(in text: String, spelling: Placeholder.Spelling = .raw) -> String {
        String(decoding: withholding(in: Data(text.utf8), spelling: spelling), as: UTF8.self)
    }

    /// Goes on until nothing is found any more, as one edit may uncover what another find hid; then all of it goes.
    private func withholding(in data: Data, spelling: Placeholder.Spelling = .raw) -> Data {
        let mark = Array(Self.withheld.text(spelling).utf8)
        var data = data
        for _ in 0..<4 {
            let edits = scanner.findings(in: data).map { ByteEdit(range: $0.range, replacement: mark) }
            if edits.isEmpty { return data }
            data = Data(data.withUnsafeBytes { $0.applying(edits) })
        }
        return scanner.findings(in: data).isEmpty ? data : Data(mark)
    }
}
