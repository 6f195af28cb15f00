/// What the page of a cassette does beyond opening its rows, which a browser does by itself.
///
/// An address that ends with `#3` opens the third interaction, and one with `#POST` filters by that word.
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
