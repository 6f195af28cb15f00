/// The credentials that can be known by their shape.
enum CredentialPatterns {
    /// Every pattern.
    static let all = prefixed + shaped + NamedCredential.patterns

    /// The patterns of providers whose tokens begin with a text of their own.
    private static let prefixed: [CredentialPattern] =
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map {
            CredentialPattern("github-token", $0, .alphanumerics, 36...36)
        }
        + ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-"].map {
            CredentialPattern("slack-token", $0, .wordOrHyphen, 10...250, CredentialText.hasDigitAndLetter)
        }
        + ["sk_live_", "rk_live_", "sk_test_", "rk_test_"].map {
            CredentialPattern("stripe-key", $0, .alphanumerics, 16...200)
        }
        + ["AKIA", "ASIA"].map {
            CredentialPattern("aws-access-key", $0, .uppercase, 16...16, CredentialText.hasDigitAndLetter)
        }
        + ["shpat_", "shpss_"].map {
            CredentialPattern("shopify-token", $0, ByteSet("0123456789abcdefABCDEF"), 32...32)
        }
        + [
            CredentialPattern("github-token", "github_pat_", .word, 22...255, CredentialText.hasDigitAndLetter),
            CredentialPattern(
                "anthropic-key",
                "sk-ant-",
                .wordOrHyphen,
                20...250,
                CredentialText.hasDigitAndLetter
            ),
            CredentialPattern(
                "openai-key",
                "sk-proj-",
                .wordOrHyphen,
                20...250,
                CredentialText.hasDigitAndLetter
            ),
            CredentialPattern("openai-key", "sk-", .wordOrHyphen, 20...250) { tail in
                tail.prefix(20).allSatisfy(ByteSet.alphanumerics.contains)
                    && CredentialText.hasDigitAndLetter(tail)
            },
            CredentialPattern("stripe-key", "whsec_", .base64, 24...100, CredentialText.hasDigitAndLetter),
            CredentialPattern("google-key", "AIza", .wordOrHyphen, 35...35, CredentialText.hasDigitAndLetter),
            CredentialPattern(
                "google-token",
                "ya29.",
                .wordOrHyphen,
                20...2_048,
                CredentialText.hasDigitAndLetter
            ),
            CredentialPattern(
                "google-secret",
                "GOCSPX-",
                .wordOrHyphen,
                20...60,
                CredentialText.hasDigitAndLetter
            ),
            CredentialPattern("gitlab-token", "glpat-", .dotted, 20...300, CredentialText.hasDigitAndLetter),
            CredentialPattern("npm-token", "npm_", .alphanumerics, 36...36, CredentialText.hasDigitAndLetter),
            CredentialPattern("pypi-token", "pypi-AgEI", .wordOrHyphen, 50...2_048),
            CredentialPattern("sendgrid-key", "SG.", .dotted, 33...120) { tail in
                let parts = tail.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                return parts.count == 2 && parts.allSatisfy { $0.count >= 16 }
                    && CredentialText.hasDigitAndLetter(tail)
            },
            CredentialPattern("twilio-key", "SK", .hexadecimal, 32...32, CredentialText.hasDigitAndLetter),
            CredentialPattern("digitalocean-token", "dop_v1_", .hexadecimal, 64...64),
            CredentialPattern("huggingface-token", "hf_", .alphanumerics, 30...40) {
                CredentialText.entropy(of: $0) >= 3.5
            },
            CredentialPattern("azure-key", "AccountKey=", .base64, 40...100, keepsPrefix: false),
        ]

    /// The patterns that need more than a prefix.
    private static let shaped =
        [
            CredentialPattern("json-web-token", "eyJ", CredentialShapes.jsonWebToken),
            CredentialPattern("private-key", "-----BEGIN ", CredentialShapes.privateKey),
            CredentialPattern("telegram-token", ":AA", CredentialShapes.telegramToken),
            CredentialPattern("url-password", "://", CredentialShapes.urlPassword),
        ]
        + ["Basic ", "basic "].map {
            CredentialPattern("basic-credentials", $0, isVague: true, CredentialShapes.basic)
        }
        + ["Bearer ", "bearer "].map {
            CredentialPattern("bearer-token", $0, isVague: true, CredentialShapes.bearer)
        }
}
