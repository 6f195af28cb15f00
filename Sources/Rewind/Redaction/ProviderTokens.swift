/// The tokens of providers that are recognized by a prefix.
enum ProviderTokens {
    static let patterns =
        cloud + hosting + repositories + intelligence + packages + messages + payments + services + monitoring
        + ProviderFormats.patterns

    private static let cloud: [CredentialPattern] =
        CredentialPattern.tokens("aws-access-key", ["AKIA"], [.upper(16)])
        + CredentialPattern.tokens(
            "aws-access-key",
            ["ASIA", "ABIA", "ACCA"],
            [.upper(16)],
            check: CredentialText.hasDigitAndLetter
        )
        + CredentialPattern.tokens(
            "aws-access-key",
            ["A3T"],
            [.upper(17)],
            check: CredentialText.hasDigitAndLetter
        )
        + CredentialPattern.tokens("aws-bedrock-key", ["ABSK"], [.base64(109...271)])
        + CredentialPattern.tokens("aws-bedrock-key", ["bedrock-api-key-"], [.base64(60...4_096)])
        + CredentialPattern.tokens("google-key", ["AIza"], [.dash(35)])
        + CredentialPattern.tokens("google-token", ["ya29."], [.dash(20...2_048)])
        + CredentialPattern.tokens("google-token", ["1//0"], [.dash(60...250)])
        + CredentialPattern.tokens("google-secret", ["GOCSPX-"], [.dash(20...60)])
        + CredentialPattern.tokens(
            "azure-key",
            ["AccountKey=", "SharedAccessKey="],
            [.base64(40...100)],
            keepsPrefix: false
        )
        + CredentialPattern.rareTokens("alibaba-key", ["LTAI"], [.alnum(12...24)])
        + CredentialPattern.tokens("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], [.hex(64)])
        + CredentialPattern.tokens("cloudflare-key", ["v1.0-"], [.hex(24), "-", .hex(146)])
        + CredentialPattern.tokens("cloudflare-token", ["cfut_", "cfat_", "cfk_"], [.alnum(40), .hex(8)])
        + CredentialPattern.tokens("yandex-key", ["AQVN"], [.dash(35...38)])
        + CredentialPattern.tokens("yandex-token", ["t1."], [.padded(10...300), ".", .padded(86...88)])

    private static let hosting: [CredentialPattern] =
        CredentialPattern.tokens("databricks-token", ["dapi"], [.hex(32), "-", .digits(1)], [.hex(32)])
        + CredentialPattern.tokens(
            "doppler-token",
            ["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
            [.alnum(40...44)]
        )
        + CredentialPattern.tokens(
            "doppler-token",
            ["dp.st."],
            [.alnum(40...44)],
            [.dash(2...35), ".", .alnum(40...44)]
        )
        + CredentialPattern.tokens("fly-token", ["fo1_"], [.dash(43)])
        + CredentialPattern.tokens("fly-token", ["fm1a_", "fm1r_", "fm2_"], [.base64(100...2_048)])
        + CredentialPattern.tokens("heroku-key", ["HRKU-"], .uuid, [.dash(60)])
        + CredentialPattern.tokens(
            "netlify-token",
            ["nfp_", "nfc_", "nfo_", "nfu_", "nfb_"],
            [.alnum(36...40)]
        )
        + CredentialPattern.tokens("render-key", ["rnd_"], [.alnum(28...32)])
        + CredentialPattern.tokens("scalingo-token", ["tk-us-"], [.dash(48)])
        + CredentialPattern.tokens("supabase-token", ["sbp_"], [.hex(40)])
        + CredentialPattern.tokens("supabase-key", ["sb_secret_"], [.dash(20...60)])
        + CredentialPattern.tokens("vercel-token", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], [.alnum(24...64)])
        + CredentialPattern.tokens(
            "planetscale-token",
            ["pscale_tkn_", "pscale_oauth_", "pscale_pw_"],
            [.run(.paddedDotted, 32...64)]
        )
        + CredentialPattern.tokens("vault-token", ["hvs.", "hvb.", "hvr."], [.dash(24...300)])
        + CredentialPattern.tokens("vault-token", ["s."], [.alnum(24)]) { tail in
            // Code has members with such names.
            tail.count(where: ByteSet.digits.contains) > 1 && CredentialText.isRandom(tail)
        }
        + CredentialPattern.tokens("pulumi-token", ["pul-"], [.hex(40)])
        + CredentialPattern.tokens("prefect-token", ["pnu_", "pnb_"], [.alnum(36)])
        + CredentialPattern.tokens("infracost-token", ["ico-"], [.alnum(32)])
        + CredentialPattern.tokens(
            "harness-key",
            ["pat.", "sat."],
            [.dash(22), ".", .alnum(24), ".", .alnum(20)]
        )
        + CredentialPattern.tokens("octopus-key", ["API-"], [.run(.uppercase, 25...32)])
        + CredentialPattern.tokens("openshift-token", ["sha256~"], [.dash(43)])
        + CredentialPattern.tokens(
            "tailscale-key",
            ["tskey-"],
            [.alnum(2...16), "-", .word(8...40), "-", .word(16...64)]
        )
        + CredentialPattern.tokens("age-key", ["AGE-SECRET-KEY-1"], [.run(.bech32, 58...58)])

    private static let repositories: [CredentialPattern] =
        CredentialPattern.tokens("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], [.alnum(36...255)])
        + CredentialPattern.tokens("github-token", ["github_pat_"], [.word(22...255)])
        + CredentialPattern.tokens(
            "gitlab-token",
            ["glpat-"],
            [.dash(20...24)],
            [.dash(27...300), ".", .lower(9)],
            [.dash(27...300), ".", .lower(2), ".", .lower(9)]
        )
        + CredentialPattern.tokens(
            "gitlab-token",
            ["gldt-", "glft-", "glrt-", "glsoat-", "glffct-", "GR1348941"],
            [.dash(20...24)]
        )
        + CredentialPattern.tokens(
            "gitlab-token",
            ["glrt-t"],
            [.digits(1), "_", .dash(20)],
            [.digits(1), "_", .dash(27...300), ".", .lower(9)],
            [.digits(1), "_", .dash(27...300), ".", .lower(2), ".", .lower(9)]
        )
        + CredentialPattern.tokens("gitlab-token", ["glimt-"], [.dash(25)])
        + CredentialPattern.tokens("gitlab-token", ["glagent-"], [.dash(50)])
        + CredentialPattern.tokens("gitlab-token", ["gloas-"], [.dash(64)])
        + CredentialPattern.tokens("gitlab-token", ["glptt-"], [.hex(40)])
        + CredentialPattern.tokens("gitlab-token", ["glcbt-"], [.alnum(1...5), "_", .dash(20)])
        + CredentialPattern.tokens("gitlab-session", ["_gitlab_session="], [.lower(32)], keepsPrefix: false)
        + CredentialPattern.tokens("bitbucket-token", ["ATBB"], [.run(.padded, 32...64)])
        + CredentialPattern.tokens("bitbucket-token", ["BBDC-"], [.run(.token, 40...50)])
        + CredentialPattern.tokens("bitbucket-token", ["ATCTT3xFfG"], [.padded(100...300)])
        + CredentialPattern.tokens("atlassian-token", ["ATATT3"], [.padded(100...300)])
        + CredentialPattern.tokens(
            "sourcegraph-token",
            ["sgp_"],
            [.anyHex(40)],
            [.anyHex(16), "_", .anyHex(40)]
        )
        + CredentialPattern.tokens("sourcegraph-token", ["sgp_local_"], [.anyHex(40)])
        + CredentialPattern.tokens("sourcegraph-token", ["slk_"], [.hex(64)])
        + CredentialPattern.tokens("buildkite-token", ["bkua_"], [.lower(40)])
        + CredentialPattern.tokens("circleci-token", ["CCIPAT_", "CCIPRJ_"], [.alnum(22), "_", .anyHex(40)])

    private static let intelligence: [CredentialPattern] =
        CredentialPattern.tokens(
            "anthropic-key",
            ["sk-ant-"],
            [.dash(20...250)],
            check: CredentialText.hasDigitAndLetter
        )
        + CredentialPattern.tokens(
            "openai-key",
            ["sk-proj-", "sk-svcacct-", "sk-service-", "sk-admin-"],
            [.dash(20...250)],
            check: CredentialText.hasDigitAndLetter
        )
        + CredentialPattern.tokens("openai-key", ["sk-"], [.dash(20...250)]) { tail in
            tail.prefix(20).allSatisfy(ByteSet.alphanumerics.contains) && CredentialText.hasDigitAndLetter(tail)
        }
        + CredentialPattern.tokens("openrouter-key", ["sk-or-v1-"], [.hex(64)])
        + CredentialPattern.tokens("huggingface-token", ["hf_", "api_org_"], [.alnum(30...40)]) {
            CredentialText.entropy(of: $0) >= 3.5
        }
        + CredentialPattern.tokens("perplexity-key", ["pplx-"], [.alnum(48)])
        + CredentialPattern.tokens("groq-key", ["gsk_"], [.alnum(52)])
        + CredentialPattern.tokens("xai-key", ["xai-"], [.word(80...80)])
        + CredentialPattern.tokens("replicate-token", ["r8_"], [.dash(37)])
        + CredentialPattern.tokens("nvidia-key", ["nvapi-"], [.dash(60...70)])
        + CredentialPattern.tokens("langsmith-key", ["lsv2_pt_", "lsv2_sk_"], [.hex(32), "_", .hex(10)])
        + CredentialPattern.tokens("pinecone-key", ["pcsk_"], [.alnum(5...6), "_", .alnum(63)])
        + CredentialPattern.tokens("elevenlabs-key", ["sk_"], [.hex(48)])

    private static let packages: [CredentialPattern] =
        CredentialPattern.tokens("npm-token", ["npm_"], [.alnum(36)])
        + CredentialPattern.tokens("pypi-token", ["pypi-AgEI"], [.dash(50...2_048)])
        + CredentialPattern.tokens("rubygems-key", ["rubygems_"], [.hex(48)])
        + CredentialPattern.tokens("nuget-key", ["oy2"], [.lower(43)])
        + CredentialPattern.tokens("crates-token", ["cio"], [.alnum(32)], check: CredentialText.isRandom)
        + CredentialPattern.tokens("clojars-token", ["CLOJARS_"], [.alnum(60)])
        + CredentialPattern.tokens("docker-token", ["dckr_pat_"], [.dash(27)])
        + CredentialPattern.tokens("docker-token", ["dckr_oat_"], [.dash(32)])
        + CredentialPattern.rareTokens("artifactory-key", ["AKCp"], [.alnum(69)])
        + CredentialPattern.rareTokens("artifactory-token", ["cmVmdGtu"], [.alnum(56)])
        + CredentialPattern.tokens("deno-token", ["ddp_", "ddw_"], [.alnum(36)])

    private static let messages: [CredentialPattern] =
        CredentialPattern.tokens(
            "slack-token",
            ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxc-", "xapp-"],
            [.dash(10...250)],
            check: CredentialText.hasDigitAndLetter
        )
        + CredentialPattern.tokens("slack-token", ["xoxe.xoxb-", "xoxe.xoxp-"], [.dash(10...250)])
        + CredentialPattern.tokens("slack-token", ["xoxd-"], [.run(.percentEncoded, 40...400)])
        + CredentialPattern.tokens("sendgrid-key", ["SG."], [.dash(16...32), ".", .dash(16...64)])
        + CredentialPattern.tokens("brevo-key", ["xkeysib-", "xsmtpsib-"], [.hex(64), "-", .alnum(16)])
        + CredentialPattern.tokens("mailgun-key", ["key-"], [.lower(32)])
        + CredentialPattern.tokens(
            "twilio-key",
            ["SK"],
            [.run(.hexadecimal, 32...32)],
            check: CredentialText.hasDigitAndLetter
        )
        + CredentialPattern.tokens("intercom-token", ["dG9rO"], [.run(.paddedBase64, 52...64)])

    private static let payments: [CredentialPattern] =
        CredentialPattern.tokens(
            "stripe-key",
            ["sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_", "rk_prod_"],
            [.alnum(16...250)]
        )
        + CredentialPattern.tokens("stripe-key", ["whsec_"], [.base64(24...100)])
        + CredentialPattern.tokens("stripe-secret", ["pi_", "seti_"], [.alnum(24), "_secret_", .alnum(25)])
        + CredentialPattern.rareTokens("square-token", ["EAAA"], [.dash(56...60)])
        + CredentialPattern.tokens("square-token", ["sq0atp-", "sq0csp-", "sandbox-sq0csb-"], [.dash(22...60)])
        + CredentialPattern.tokens(
            "shopify-token",
            ["shpat_", "shpca_", "shppa_", "shpss_"],
            [.anyHex(32)]
        )
        + CredentialPattern.tokens("flutterwave-key", ["FLWSECK-"], [.lower(32), "-X"])
        + CredentialPattern.tokens("flutterwave-key", ["FLWSECK_TEST-"], [.lower(32), "-X"], [.lower(12)])
        + CredentialPattern.tokens(
            "plaid-token",
            ["access-sandbox-", "access-development-", "access-production-"],
            .uuid
        )
        + CredentialPattern.tokens(
            "braintree-token",
            ["access_token$production$", "access_token$sandbox$"],
            [.lower(16), "$", .hex(32)]
        )
        + CredentialPattern.tokens("lob-key", ["live_", "test_"], [.hex(35)])
        + CredentialPattern.tokens("lob-key", ["live_pub_", "test_pub_"], [.hex(31)])
        + CredentialPattern.tokens("gocardless-token", ["live_"], [.padded(40...40)])
        + CredentialPattern.tokens("easypost-key", ["EZAK", "EZTK"], [.alnum(54)])
        + CredentialPattern.tokens("shippo-token", ["shippo_live_", "shippo_test_"], [.anyHex(40)])
        + CredentialPattern.tokens("duffel-token", ["duffel_test_", "duffel_live_"], [.padded(43...43)])
        + CredentialPattern.tokens("ramp-secret", ["ramp_sec_"], [.alnum(48)])
        + CredentialPattern.tokens("pagarme-key", ["ak_live_"], [.alnum(30)])

    private static let services: [CredentialPattern] =
        CredentialPattern.tokens(
            "1password-key",
            ["A3-"],
            [.upper(6), "-", .upper(11)] + ["-", .upper(5)] * 3
        )
        + CredentialPattern.tokens(
            "1password-key",
            ["A3-"],
            [.upper(6), "-", .upper(6)] + ["-", .upper(5)] * 4
        )
        + CredentialPattern.tokens("1password-token", ["ops_eyJ"], [.base64(200...4_096)])
        + CredentialPattern.tokens("adafruit-key", ["aio_"], [.alnum(28)])
        + CredentialPattern.tokens("adobe-secret", ["p8e-"], [.alnum(32)])
        + CredentialPattern.tokens("airtable-token", ["pat"], [.alnum(14), ".", .hex(64)])
        + CredentialPattern.tokens("apify-token", ["apify_api_"], [.alnum(36)])
        + CredentialPattern.tokens(
            "authress-key",
            ["sc_", "ext_", "scauth_", "authress_"],
            [
                .alnum(5...30), ".", .alnum(4...6), ".acc", .run(ByteSet("_-"), 1...1),
                .run(.hyphenated, 10...32),
            ]
                + [".", .run(.paddedBase64, 30...120)]
        )
        + CredentialPattern.tokens("clickhouse-key", ["4b1d"], [.alnum(38)])
        + CredentialPattern.tokens("contentful-token", ["CFPAT-"], [.dash(43)])
        + CredentialPattern.tokens(
            "defined-networking-token",
            ["dnkey-"],
            [.padded(26...26), "-", .padded(52...52)]
        )
        + CredentialPattern.tokens("dropbox-token", ["sl."], [.padded(130...2_048)])
        + CredentialPattern.tokens("dropbox-token", ["sl.u."], [.padded(130...2_048)])
        + CredentialPattern.rareTokens("facebook-token", ["EAAM", "EAAC", "EAAG", "EAAB"], [.alnum(100...400)])
        + CredentialPattern.rareTokens("instagram-token", ["IGQV", "IGQW"], [.dash(80...400)])
        + CredentialPattern.tokens("figma-token", ["figd_", "figp_", "figu_"], [.padded(40...54)])
        + CredentialPattern.tokens("frameio-token", ["fio-u-"], [.padded(64...64)])
        + CredentialPattern.tokens("hubspot-token", ["pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"], .anyUUID)
        + CredentialPattern.tokens(
            "intra42-secret",
            ["s-s4t2ud-", "s-s4t2af-", "u-s4t2ud-", "u-s4t2af-"],
            [.hex(64)]
        )
        + CredentialPattern.tokens("klaviyo-key", ["pk_"], [.hex(34)], [.alnum(6), "_", .hex(34)])
        + CredentialPattern.tokens("launchdarkly-key", ["api-", "sdk-"], .uuid)
        + CredentialPattern.tokens("linear-key", ["lin_api_"], [.alnum(40)])
        + CredentialPattern.tokens("linear-token", ["lin_oauth_"], [.hex(64)])
        + CredentialPattern.tokens(
            "mapbox-token",
            ["sk.eyJ", "tk.eyJ", "pk.eyJ"],
            [.dash(40...120), ".", .dash(20...30)]
        )
        + CredentialPattern.tokens("notion-token", ["ntn_"], [.digits(11), .alnum(35)])
        + CredentialPattern.tokens("notion-token", ["secret_"], [.alnum(43)])
        + CredentialPattern.tokens("okta-token", ["SSWS 00"], [.padded(40...40)], keepsPrefix: false)
        + CredentialPattern.tokens("postman-key", ["PMAK-"], [.hex(24), "-", .hex(34)])
        + CredentialPattern.tokens("readme-key", ["rdme_"], [.lower(70)])
        + CredentialPattern.tokens("salesforce-token", ["5AEP861"], [.run(.paddedDotted, 80...400)])
        + CredentialPattern.tokens("settlemint-token", ["sm_aat_", "sm_pat_", "sm_sat_"], [.alnum(16)])
        + CredentialPattern.tokens("resend-key", ["re_"], [.alnum(8), "_", .alnum(24)])
        + CredentialPattern.tokens("typeform-token", ["tfp_"], [.run(.paddedDotted, 40...60)])
        + CredentialPattern.rareTokens(
            "twitter-token",
            ["AAAAAAAAAAAAAAAAAAAAA"],
            [.run(.percentEncoded, 80...110)]
        )
        + CredentialPattern.tokens("zoho-token", ["1000."], [.hex(32), ".", .hex(32)])

    private static let monitoring: [CredentialPattern] =
        CredentialPattern.tokens(
            "dynatrace-token",
            ["dt0c01.", "dt0s01.", "dt0s16."],
            [.alnum(24), ".", .alnum(64)]
        )
        + CredentialPattern.tokens("grafana-token", ["glc_"], [.base64(32...400)])
        + CredentialPattern.tokens("grafana-token", ["glsa_"], [.alnum(32), "_", .anyHex(8)])
        + CredentialPattern.tokens("grafana-key", ["eyJrIjoi"], [.base64(70...400)])
        + CredentialPattern.tokens("new-relic-key", ["NRAK-"], [.alnum(27)])
        + CredentialPattern.tokens("new-relic-key", ["NRII-", "NRIQ-"], [.dash(25...32)])
        + CredentialPattern.tokens("new-relic-key", ["NRJS-", "NRBR-"], [.hex(19)])
        + CredentialPattern.tokens("posthog-key", ["phx_"], [.word(43...48)])
        + CredentialPattern.tokens("rootly-key", ["rootly_"], [.hex(64)])
        + CredentialPattern.tokens("sentry-token", ["sntrys_eyJ"], [.run(.sentry, 100...500)])
        + CredentialPattern.tokens("sentry-token", ["sntryu_"], [.hex(64)])
        + CredentialPattern.tokens("sonar-token", ["squ_", "sqp_", "sqa_"], [.padded(40...40)])
        + CredentialPattern.tokens("sonar-token", ["sqco_"], [.alnum(59)])
}
