import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// The formats of the tokens of providers. The tokens are generated, so that other scanners do not report this file.
struct ProviderTokenTests {
    /// A format: texts and, in brackets, a class of characters and a number of them. A bar interrupts a prefix.
    struct Sample: Sendable, CustomTestStringConvertible {
        let rule: String
        let format: String
        var testDescription: String { format }

        func token(_ seed: UInt64) -> String {
            var random = SplitMix64(seed: seed)
            var result = ""
            var rest = Substring(format)
            while let next = rest.popFirst() {
                if next == "[" {
                    let part = rest.prefix { $0 != "]" }
                    let letters = Array(Self.classes[part.first ?? "a"] ?? "")
                    for _ in 0..<(Int(part.dropFirst()) ?? 0) {
                        result.append(letters[Int.random(in: 0..<letters.count, using: &random)])
                    }
                    rest = rest.dropFirst(part.count + 1)
                } else if next != "¦" {
                    result.append(next)
                }
            }
            return result
        }

        private static let lower = "abcdefghijklmnopqrstuvwxyz"
        private static let classes: [Character: String] = [
            "h": "0123456789abcdef", "n": "0123456789", "l": lower + "0123456789",
            "u": lower.uppercased() + "0123456789", "a": lower + lower.uppercased() + "0123456789",
            "b": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
        ]
    }

    /// The rule and the format of each token.
    private static let table = """
        1password-key A¦3-[u6]-[u11]-[u5]-[u5]-[u5]
        1password-key A¦3-[u6]-[u6]-[u5]-[u5]-[u5]-[u5]
        1password-token op¦s_eyJ[a260]
        adafruit-key ai¦o_[a28]
        adobe-secret p¦8e-[l32]
        age-key AGE-SECRET¦-KEY-1[b58]
        airtable-token p¦at[a14].[h64]
        alibaba-key LT¦AI[a20]
        anthropic-key sk-¦ant-api03-[a93]AA
        anthropic-key sk-¦ant-admin01-[a93]AA
        apify-token apify¦_api_[a36]
        artifactory-key AK¦Cp[a69]
        artifactory-token cmVm¦dGtu[a56]
        atlassian-token ATA¦TT3[a180]=[a8]
        authress-key s¦c_[l12].[l5].acc_[l20].[l60]
        aws-access-key AK¦IA[u15]7
        aws-access-key AS¦IA[u15]7
        aws-access-key AB¦IA[u15]7
        aws-access-key AC¦CA[u15]7
        aws-bedrock-key AB¦SK[a120]
        aws-bedrock-key bedrock-¦api-key-[a120]
        azure-key Account¦Key=[a86]==
        azure-key [a52]JQ¦QJ99[a26]
        azure-secret [a3]8¦Q~[a33]
        bitbucket-token ATB¦B[a32]
        braintree-token access¦_token$production$[l16]$[h32]
        brevo-key xkey¦sib-[h64]-[a16]
        buildkite-token bk¦ua_[l40]
        circleci-token CCI¦PAT_[a22]_[h40]
        clickhouse-key 4b¦1d[a38]
        clojars-token CLOJ¦ARS_[l60]
        cloudflare-key v1¦.0-[h24]-[h146]
        cloudflare-token cf¦ut_[a40][h8]
        contentful-token CF¦PAT-[a43]
        crates-token c¦io[a32]
        databricks-token da¦pi[h32]
        databricks-token da¦pi[h32]-2
        defined-networking-token dn¦key-[a26]-[a52]
        deno-token dd¦p_[a36]
        digitalocean-token do¦p_v1_[h64]
        digitalocean-token do¦o_v1_[h64]
        digitalocean-token do¦r_v1_[h64]
        docker-token dckr¦_pat_[a27]
        doppler-token dp¦.pt.[a43]
        doppler-token dp¦.st.prod.[a43]
        dropbox-token s¦l.[a138]
        duffel-token duffel¦_test_[a43]
        dynatrace-token dt0¦c01.[u24].[u64]
        easypost-key EZ¦AK[a54]
        easypost-key EZ¦TK[a54]
        elevenlabs-key s¦k_[h48]
        facebook-token EA¦AC[a150]
        facebook-token [n16]¦|[a27]
        figma-token fig¦d_[a40]
        flutterwave-key FLW¦SECK_TEST-[h32]-X
        flutterwave-key FLW¦SECK-[l32]-X
        fly-token fo¦1_[a43]
        fly-token fm¦2_[a140]
        frameio-token fio¦-u-[a64]
        github-token gh¦p_[a36]
        github-token gh¦o_[a36]
        github-token gh¦u_[a36]
        github-token gh¦s_[a36]
        github-token gh¦r_[a36]
        github-token github¦_pat_[a22]_[a59]
        gitlab-session _gitlab¦_session=[h32]
        gitlab-token gl¦pat-[a20]
        gitlab-token gl¦pat-[a30].[n2][l7]
        gitlab-token gl¦dt-[a20]
        gitlab-token gl¦ft-[a20]
        gitlab-token gl¦rt-[a20]
        gitlab-token gl¦rt-t1_[a30].[n2][l7]
        gitlab-token gl¦soat-[a20]
        gitlab-token gl¦ffct-[a20]
        gitlab-token GR¦1348941[a20]
        gitlab-token gl¦imt-[a25]
        gitlab-token gl¦agent-[a50]
        gitlab-token gl¦oas-[a64]
        gitlab-token gl¦ptt-[h40]
        gitlab-token gl¦cbt-[h2]_[a20]
        gocardless-token li¦ve_[a40]
        google-key AI¦za[a35]
        google-secret GOC¦SPX-[a28]
        google-token ya¦29.[a120]
        grafana-key eyJr¦Ijoi[a90]
        grafana-token gl¦c_[a80]
        grafana-token gl¦sa_[a32]_[h8]
        groq-key gs¦k_[a52]
        harness-key p¦at.[a22].[h24].[a20]
        heroku-key HR¦KU-AA[a58]
        hubspot-token pat-¦na1-[h8]-[h4]-[h4]-[h4]-[h12]
        huggingface-token h¦f_[a34]
        huggingface-token api¦_org_[a34]
        infracost-token ic¦o-[a32]
        instagram-token IG¦QV[a120]
        intra42-secret s-s4¦t2ud-[h64]
        klaviyo-key p¦k_[h34]
        langsmith-key lsv2¦_pt_[h32]_[h10]
        launchdarkly-key sd¦k-[h8]-[h4]-[h4]-[h4]-[h12]
        linear-key lin¦_api_[a40]
        linear-token lin¦_oauth_[h64]
        lob-key te¦st_[h35]
        mailchimp-key [h32]-¦us12
        mailgun-key ke¦y-[h32]
        mapbox-token s¦k.eyJ[a60].[a22]
        maxmind-key [a6]_[a29]¦_mmk
        netlify-token nf¦p_[a36]
        new-relic-key NR¦AK-[u27]
        new-relic-key NR¦II-[a32]
        new-relic-key NR¦JS-[h19]
        new-relic-key [h32]FFFF¦NRAL
        notion-token nt¦n_[n11][a35]
        notion-token sec¦ret_[a43]
        npm-token np¦m_[a36]
        nuget-key oy¦2[l43]
        nvidia-key nv¦api-[a64]
        octopus-key AP¦I-[u26]
        okta-token SS¦WS 00[a40]
        openai-key sk-¦proj-[a74]T3BlbkFJ[a74]
        openai-key sk-¦svcacct-[a58]T3BlbkFJ[a58]
        openai-key sk-¦admin-[a58]T3BlbkFJ[a58]
        openai-key s¦k-[a20]T3BlbkFJ[a20]
        openrouter-key sk-¦or-v1-[h64]
        openshift-token sha¦256~[a43]
        pagarme-key ak¦_live_[a30]
        perplexity-key pp¦lx-[a48]
        pinecone-key pc¦sk_[a6]_[a63]
        plaid-token access¦-sandbox-[h8]-[h4]-[h4]-[h4]-[h12]
        planetscale-token pscale¦_tkn_[a43]
        planetscale-token pscale¦_pw_[a43]
        posthog-key ph¦x_[a43]
        postman-key PM¦AK-[h24]-[h34]
        prefect-token pn¦u_[a36]
        pulumi-token pu¦l-[h40]
        pypi-token py¦pi-AgEIcHlwaS5vcmc[a120]
        ramp-secret ramp¦_sec_[a48]
        rapidapi-key [l10]ms¦h[l15]p1[l6]jsn[l12]
        readme-key rd¦me_[l70]
        render-key rn¦d_[a28]
        replicate-token r¦8_[a37]
        rootly-key root¦ly_[h64]
        rubygems-key ruby¦gems_[h48]
        salesforce-token 00D[a12]!¦AQ[a94]
        scalingo-token tk-¦us-[a48]
        sendgrid-key S¦G.[a22].[a43]
        sentry-token sntr¦ys_eyJpYXQiO[a150]_[a43]
        sentry-token sntr¦yu_[h64]
        settlemint-token sm¦_pat_[a16]
        shippo-token shippo¦_live_[h40]
        shopify-token shp¦at_[h32]
        shopify-token shp¦ca_[h32]
        shopify-token shp¦pa_[h32]
        shopify-token shp¦ss_[h32]
        slack-token xo¦xb-[n12]-[n12]-[a24]
        slack-token xo¦xp-[n12]-[n12]-[n12]-[h32]
        slack-token xo¦xe.xoxb-1-[u163]
        slack-token xo¦xe-1-[u146]
        slack-token xa¦pp-1-[u11]-[n13]-[h64]
        sonar-token sq¦p_[h40]
        sonar-token sq¦u_[h40]
        sourcegraph-token sg¦p_[h16]_[h40]
        sourcegraph-token sg¦p_local_[h40]
        sourcegraph-token sg¦p_[h40]
        square-token EA¦AA[a60]
        square-token sq0¦atp-[a22]
        square-token sq0¦csp-[a43]
        stripe-key sk¦_live_[a24]
        stripe-key rk¦_prod_[a99]
        stripe-key wh¦sec_[a32]
        stripe-secret p¦i_[a24]_secret_[a25]
        supabase-key sb¦_secret_[a32]
        supabase-token sb¦p_[h40]
        tailscale-key ts¦key-auth-[a17]-[a32]
        telegram-token [n10]:¦AA[a33]
        terraform-token [a14].atlas¦v1.[a67]
        twilio-key S¦K[h32]
        twitter-token AAAAAAAAAAA¦AAAAAAAAAAA[a90]
        resend-key r¦e_[a8]_[a24]
        typeform-token tf¦p_[a59]
        vault-token hv¦s.[a95]
        vault-token hv¦b.[a140]
        vercel-token vc¦p_[a56]
        xai-key xa¦i-[a80]
        yandex-key AQ¦VN[a35]
        yandex-token t¦1.[a40].[a86]
        intercom-token dG¦9rO[a55]
        zoho-token 10¦00.[h32].[h32]
        """

    private static let samples = table.split(separator: "\n").map { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return Sample(rule: String(parts[0]), format: String(parts[1]))
    }

    private static func findings(_ text: String) -> [CredentialFinding] {
        CredentialScanner().findings(in: Data(text.utf8))
    }

    /// The value of a token whose prefix is a name.
    private static func value(_ token: String) -> String {
        for name in ["Account" + "Key=", "_gitlab" + "_session=", "SS" + "WS 00"] where token.hasPrefix(name) {
            return String(token.dropFirst(name.count))
        }
        return token
    }

    @Test("A generated token is found with its range, in any context", arguments: samples)
    func found(_ sample: Sample) {
        for seed: UInt64 in 1...20 {
            let token = sample.token(seed)
            for (before, after) in [
                ("", ""), ("{\"x\":\"", "\"}"), ("?q=", "&r=1"), ("x%3D", "%26"), ("\\n", "\\n"),
            ] {
                // A token of Twitter may contain escapes.
                if sample.rule == "twitter-token", after == "%26" { continue }
                let text = before + token + after
                let findings = Self.findings(text)
                #expect(findings.map(\.rule) == [sample.rule], "\(text)")
                let values = findings.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
                #expect(values == [Self.value(token)], "\(text)")
            }
        }
    }

    @Test("Every rule of a provider has a sample")
    func complete() {
        let tested = Set(Self.samples.map(\.rule) + Self.webhooks.map(\.rule) + ["discord-token"])
        #expect(Set(ProviderTokens.patterns.map(\.rule)).subtracting(tested).sorted() == [])
    }

    @Test("A token that is too short, too long or has another character is not found", arguments: samples)
    func nearMisses(_ sample: Sample) {
        for seed: UInt64 in 1...5 {
            let token = sample.token(seed)
            let others = [
                String(token.prefix(12)), token.prefix(12) + "!" + token.dropFirst(13),
                token + String(repeating: "aB3_", count: 3_000),
            ]
            // A number after a complete token of Databricks is optional.
            for other in others where !(sample.format.hasSuffix("-2") && other.count > 13) {
                #expect(!Self.findings(other).contains { $0.rule == sample.rule }, "\(other.prefix(200))")
            }
        }
    }

    @Test("A token inside a longer word is not found", arguments: samples)
    func insideWord(_ sample: Sample) {
        let token = sample.token(3)
        let rules = Self.findings("q" + token).map(\.rule)
        // One token of Slack contains another one.
        let isNested = token.dropFirst(5).hasPrefix("xoxb") || sample.rule == "telegram-token"
        #expect(!rules.contains(sample.rule) || isNested, "\(token)")
    }

    @Test("An example from documentation is not found", arguments: samples)
    func examples(_ sample: Sample) {
        for (character, name) in [("x", "masked"), ("0", "zeros")] {
            let fixed = sample.format.replacingOccurrences(of: "¦", with: "")
            var text = ""
            var rest = Substring(fixed)
            while let next = rest.popFirst() {
                guard next == "[" else {
                    text.append(next)
                    continue
                }
                let part = rest.prefix { $0 != "]" }
                text += String(repeating: character, count: Int(part.dropFirst()) ?? 0)
                rest = rest.dropFirst(part.count + 1)
            }
            #expect(!Self.findings(text).contains { $0.rule == sample.rule }, "\(name): \(text)")
        }
    }

    /// A webhook's address before and in its secret part.
    private static let webhooks: [(rule: String, address: String, secret: String)] = [
        ("slack-webhook", "https://hooks.slack" + ".com/services/", "T[u9]/B[u9]/[a24]"),
        ("slack-webhook", "https://hooks.slack" + ".com/workflows/", "T[u9]/A[u9]/[n18]/[a24]"),
        ("slack-webhook", "https:\\/\\/hooks.slack" + ".com\\/services\\/", "T[u9]\\/B[u9]\\/[a24]"),
        ("discord-webhook", "https://discord" + ".com/api/webhooks/", "[n18]/[a68]"),
        ("discord-webhook", "https%3A%2F%2Fdiscordapp" + ".com%2Fapi%2Fwebhooks%2F", "[n18]%2F[a68]"),
        (
            "teams-webhook", "https://acme.webhook" + ".office.com/webhookb2/",
            "[h8]-[h4]-[h4]-[h4]-[h12]@[h8]-[h4]-[h4]-[h4]-[h12]/IncomingWebhook/[h32]/[h8]-[h4]-[h4]-[h4]-[h12]"
        ),
        ("zapier-webhook", "https://hooks.zapier" + ".com/hooks/catch/", "[n7]/[l7]"),
    ]

    @Test("The secret part of a webhook's address is found", arguments: webhooks.indices)
    func webhook(_ index: Int) {
        let (rule, address, secret) = Self.webhooks[index]
        for seed: UInt64 in 1...20 {
            let value = Sample(rule: rule, format: secret).token(seed)
            let text = "{\"url\": \"\(address)\(value)\"}"
            let findings = Self.findings(text)
            #expect(findings.map(\.rule) == [rule], "\(text)")
            #expect(findings.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) } == [value])
        }
        #expect(Self.findings(address + "T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX").isEmpty)
        #expect(Self.findings(address).isEmpty)
        #expect(Self.findings(address + "docs").isEmpty)
    }

    @Test("The token of a Discord bot is found by the number in it")
    func discord() {
        for seed: UInt64 in 1...50 {
            let number = Data(Sample(rule: "", format: "[n18]").token(seed).utf8).base64EncodedString()
            let token = Sample(rule: "", format: number + ".[a6].[a38]").token(seed)
            #expect(Self.findings("\"token\": \"\(token)\"").map(\.rule) == ["discord-token"], "\(token)")
            let other = Sample(rule: "", format: "MT[a22].[a6].[a38]").token(seed)
            #expect(!Self.findings("a \(other)").contains { $0.rule == "discord-token" }, "\(other)")
        }
    }

    @Test(
        "Names, identifiers and code are not tokens",
        arguments: [
            "s.getElementsByClassNames1", "sk-folding-cube-and-more-words-1",
            "hf_some_name_of_a_function_in_a_file",
            "live_updates_are_sent_to_the_browser_every_now", "test_that_a_name_is_not_a_secret_at_all_1",
            "ASIANDEVELOPMENTBANK", "key-value-pairs-and-other-things", "pk_constraint_of_the_table_accounts",
            "pat.match(value.toString().substring(1), other)", "sl.prototype.render",
            "YCbCr_to_RGB_conversion_matrix_values_1",
            "secret_name_of_the_parameter_in_the_store_1234", "b_tree_of_the_index_with_all_the_names_in_it_a",
            "EAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1=", "MTE1MjkyMTUwNDYwNjg0Njk3Ng==",
            "sha256-abcdef", "https://hooks.slack.com/", "1000.000.000", "t1.medium", "dp.part.name",
            "cio-something",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "npm_config_registry", "api-docs", "sdk-version", "git-us12", "pi_over_two", "API-REFERENCE",
            "key-0123",
            "rnd_seed_for_the_generator_of_x", "msh1p1jsn", "SK-123", "tfp_name", "xai-ui", "age-secret-key",
        ]
    )
    func names(_ text: String) {
        #expect(Self.findings("a \(text) b").isEmpty)
        #expect(Self.findings("\"\(text)\"").isEmpty)
    }
}
