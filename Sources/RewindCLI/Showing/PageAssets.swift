/// The style of the page, for light and dark mode.
enum PageStyle {
    static let text = """
        :root { --back: #fff; --panel: #f6f7f9; --line: #e2e5ea; --text: #1c2128; --dim: #69727d; --accent: #2463eb;
          --good: #12793f; --moved: #0b7285; --doubtful: #a35200; --bad: #c92a2a; --string: #12793f; --word: #a35200;
          --wait: #86a8f0; --receive: #2463eb }
        @media (prefers-color-scheme: dark) { :root { --back: #14171c; --panel: #1b1f26; --line: #2d333d;
          --text: #dce1e8; --dim: #8c96a3; --accent: #7aa5ff; --good: #5fd38d; --moved: #66d0e0; --doubtful: #f0b060;
          --bad: #ff8787; --string: #7fd6a0; --word: #f0b060; --wait: #4d6fba; --receive: #7aa5ff } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--back); color: var(--text);
          font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
        header { position: sticky; top: 0; z-index: 1; padding: 14px 20px 12px; background: var(--back);
          border-bottom: 1px solid var(--line) }
        h1 { margin: 0; font-size: 18px; overflow-wrap: anywhere }
        h1 small { color: var(--dim); font-weight: normal }
        header p { margin: 2px 0 10px; color: var(--dim) }
        .legend { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 2px 24px }
        .key { display: inline-block; width: 22px; margin: 0 2px; vertical-align: middle; forced-color-adjust: none }
        .key.wait { height: 4px; background: var(--wait) } .key.receive { height: 10px; background: var(--receive) }
        .tools { display: flex; gap: 8px; align-items: center }
        input, button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
          border-radius: 6px; padding: 5px 10px }
        input { flex: 1 1 auto; min-width: 80px; max-width: 460px }
        button { cursor: pointer; white-space: nowrap }
        button:hover { border-color: var(--accent) }
        input:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--accent);
          outline-offset: -1px }
        #count { color: var(--dim); flex: 1; white-space: nowrap }
        .row { display: grid; gap: 12px; align-items: center; padding: 6px 20px;
          grid-template-columns: 12px 32px 64px 56px minmax(160px, 3fr) minmax(80px, 190px) 64px 72px minmax(100px, 2fr) }
        .row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
        .row::before { content: "" }
        summary.row::before { content: "▸"; content: "▸" / ""; color: var(--dim); font-size: 17px;
          line-height: 1 }
        details[open] > summary.row::before { content: "▾"; content: "▾" / "" }
        summary.row:hover::before { color: var(--accent) }
        summary:hover .path { text-decoration: underline }
        .head { color: var(--dim); font-size: 12px; border-bottom: 1px solid var(--line) }
        .number, .type, .origin, .more, .facts, figcaption { color: var(--dim) }
        .method, .status { font-weight: 600 }
        .size, .time { text-align: right; font-variant-numeric: tabular-nums }
        details { border-bottom: 1px solid var(--line) }
        details[hidden] { display: none }
        summary { cursor: pointer; list-style: none }
        summary::-webkit-details-marker { display: none }
        summary:hover, details[open] > summary { background: var(--panel) }
        .waterfall { display: block; width: 100%; height: 16px }
        .wait { fill: var(--wait) } .receive { fill: var(--receive) }
        .good { color: var(--good) } .moved { color: var(--moved) } .doubtful { color: var(--doubtful) }
        .bad, .failure { color: var(--bad) }
        .messages { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 28px;
          padding: 4px 20px 18px; background: var(--panel) }
        .facts, .failure { grid-column: 1 / -1; margin: 4px 0 }
        h2 { margin: 10px 0 4px; font-size: 12px; color: var(--dim); text-transform: uppercase;
          letter-spacing: .06em }
        .line, pre, table { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono",
          monospace }
        .line { margin: 0 0 6px; font-weight: 600; overflow-wrap: anywhere }
        table { border-collapse: collapse }
        th { text-align: left; font-weight: normal; color: var(--moved); vertical-align: top; padding: 0 14px 0 0;
          white-space: nowrap }
        td { overflow-wrap: anywhere; padding: 0 }
        figure { margin: 10px 0 0; border: 1px solid var(--line); border-radius: 8px; background: var(--back);
          overflow: hidden }
        figcaption { padding: 4px 12px; font-size: 12px; border-bottom: 1px solid var(--line) }
        figcaption:last-child { border-bottom: 0 }
        pre { margin: 0; padding: 10px 12px; max-height: 32em; overflow: auto; white-space: pre-wrap;
          overflow-wrap: anywhere; tab-size: 4 }
        pre i { font-style: normal } .n { color: var(--moved) } .s { color: var(--string) } .w { color: var(--word) }
        img { display: block; max-width: calc(100% - 24px); max-height: 480px; margin: 12px;
          background: repeating-conic-gradient(var(--panel) 0% 25%, var(--back) 0% 50%) 0 0 / 16px 16px }
        figure .more { margin: 0; padding: 4px 12px 8px; font-size: 12px }
        @media (max-width: 860px) { .row { grid-template-columns: 12px 26px 58px 50px minmax(0, 1fr) 72px }
          .row > :nth-child(5), .row > :nth-child(6), .row > :nth-child(8), .origin, .keys { display: none }
          .messages { grid-template-columns: minmax(0, 1fr) } }
        """
}

/// The script of the page: the filter, the buttons and the fragment of the address.
///
/// The fragment `#3` opens the third interaction, and `#POST` filters by that word.
enum PageScript {
    static let text = """
        "use strict";
        (() => {
          const all = Array.from(document.querySelectorAll("details.interaction"));
          const texts = new Map();
          const text = (element) => {
            if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
            return texts.get(element);
          };
          const filter = document.getElementById("filter");
          const count = document.getElementById("count");
          const apply = () => {
            const words = filter.value.toLowerCase().split(" ").filter(Boolean);
            let shown = 0;
            for (const element of all) {
              element.hidden = !words.every((word) => text(element).includes(word));
              if (!element.hidden) shown += 1;
            }
            count.textContent = words.length ? shown + " of " + all.length : "";
          };
          const open = (isOpen) => {
            for (const element of all) if (!element.hidden) element.open = isOpen;
          };
          const follow = () => {
            const wanted = location.hash.slice(1);
            const element = document.getElementById("i" + wanted);
            if (element && all.includes(element)) {
              element.open = true;
              element.scrollIntoView({ block: "center" });
            } else if (wanted) {
              filter.value = wanted;
              apply();
            }
          };
          filter.addEventListener("input", apply);
          document.getElementById("open").addEventListener("click", () => open(true));
          document.getElementById("close").addEventListener("click", () => open(false));
          document.addEventListener("keydown", (event) => {
            if (event.key === "/" && document.activeElement !== filter) {
              event.preventDefault();
              filter.focus();
            }
            if (event.key === "Escape") {
              filter.value = "";
              apply();
            }
          });
          window.addEventListener("hashchange", follow);
          if (all.length === 1) all[0].open = true;
          apply();
          follow();
        })();
        """
}
