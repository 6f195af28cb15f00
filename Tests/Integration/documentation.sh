#!/usr/bin/env bash
# Builds the documentation: every link leads somewhere, and DocC has nothing to warn of. The archive is written to
# .build/Rewind.doccarchive; arguments go to `swift build`.
set -euo pipefail
cd "$(dirname "$0")/../.."

docc=$(command -v docc || xcrun --find docc)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Articles link to each other as Markdown does, for those who read them on the web; a link that leads out of the catalogue
# has to lead to a file.
missing=$(
    for document in README.md Docs/*.md Sources/Rewind/Rewind.docc/*.md; do
        grep -oE '\]\([^):#]+[)#]' "$document" | sed -E 's|^..||; s|.$||' | while read -r link; do
            [[ -e $(dirname "$document")/$link ]] || echo "$document: $link is not there"
        done
    done

    # The landing page groups every symbol of the first level.
    sed -nE 's/^Rewind[A-Za-z]*\.([A-Z][A-Za-z]*)  .*/\1/p' Docs/API.txt | sort -u | grep -vE '^(Array|Trait)$' |
        while read -r symbol; do
            grep -qE "^- \`\`[/A-Za-z]*$symbol\`\`" Sources/Rewind/Rewind.docc/*.md || echo "The landing page lacks $symbol."
        done
)
if [[ -n $missing ]]; then
    printf '%s\n' "$missing"
    exit 1
fi

# DocC has a link of its own for an article, which it checks.
cp -r Sources/Rewind/Rewind.docc "$folder"
sed -E -i.before -e 's/\]\(([A-Za-z]+)\.md\)/](doc:\1)/g' -e 's/\[([^]]*)\]\(\.\.[^)]*\)/\1/g' "$folder"/Rewind.docc/*.md
rm "$folder"/Rewind.docc/*.before

swift build "$@"
Tests/Integration/symbols.sh "$folder/symbols"
"$docc" convert "$folder/Rewind.docc" --additional-symbol-graph-dir "$folder/symbols" --warnings-as-errors \
    --fallback-display-name Rewind --fallback-bundle-identifier Rewind --output-path .build/Rewind.doccarchive
