#!/usr/bin/env bash
# Builds the documentation as Xcode and the Swift Package Index do: the catalogue of each target with the symbols of that target
# alone, and with warnings as errors. The combined archive is .build/Rewind.doccarchive. Arguments go to `swift build`.
set -euo pipefail
cd "$(dirname "$0")/../.."

docc=$(command -v docc || xcrun --find docc)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
modules=(Rewind RewindServer RewindTesting RewindXCTest)

problems=$(
    # On the web, the README and the project's documents are read as files, so their links are paths.
    for document in README.md Docs/*.md; do
        grep -oE '\]\([^):#]+[)#]' "$document" | sed -E 's|^..||; s|.$||' | while read -r link; do
            [[ -e $(dirname "$document")/$link ]] || echo "$document: $link does not exist"
        done
    done

    # A catalogue is built without the rest of the repository. DocC checks its own links and ignores paths.
    grep -nE '\]\([^)]*\)' Sources/*/*.docc/*.md | grep -vE '\]\((doc|https):[^)]*\)' |
        sed 's/$/: link to an article with `doc:Name`/' || true

    # Each public type is listed on the page of its module, so that none is left to the generated groups.
    for module in "${modules[@]}"; do
        sed -nE "s/^$module\.([A-Z][A-Za-z]*)  .*/\1/p" Docs/API.txt | grep -vE '^Array$' |
            while read -r symbol; do
                grep -qE "^- \`\`$symbol\`\`" "Sources/$module/$module.docc/$module.md" ||
                    echo "Sources/$module/$module.docc/$module.md: $symbol is not listed"
            done
    done
)
if [[ -n $problems ]]; then
    printf '%s\n' "$problems"
    exit 1
fi

swift build "$@"
Tests/Integration/symbols.sh "$folder/symbols" -emit-extension-block-symbols
archives=()
for module in "${modules[@]}"; do
    mkdir "$folder/$module"
    mv "$folder/symbols/$module.symbols.json" "$folder/symbols/$module"@*.symbols.json "$folder/$module" 2>/dev/null || true
    "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$folder/$module" --warnings-as-errors \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" --output-path "$folder/$module.doccarchive"
    archives+=("$folder/$module.doccarchive")
done
rm -rf .build/Rewind.doccarchive
"$docc" merge "${archives[@]}" --synthesized-landing-page-name Rewind --output-path .build/Rewind.doccarchive
