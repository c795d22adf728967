// The filter of the option reference: hides the options that lack one of the words.

export function addOptionFilter(document: Document): void {
  const filter = document.querySelector<HTMLElement>("[data-option-filter]");
  const input = filter?.querySelector("input");
  const output = filter?.querySelector("output");
  if (!filter || !input || !output) return;
  const options = [...document.querySelectorAll<HTMLElement>(".option")];
  let texts: ReadonlyMap<HTMLElement, string> | undefined;
  const groups = [...document.querySelectorAll<HTMLElement>(".option-group")];
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    texts ??= new Map(options.map((option) => [option, option.textContent?.toLowerCase() ?? ""]));
    let shown = 0;
    for (const option of options) {
      option.hidden = !words.every((word) => texts?.get(option)?.includes(word));
      if (!option.hidden) shown++;
    }
    for (const group of groups) group.hidden = !group.querySelector(".option:not([hidden])");
    output.textContent = words.length === 0 ? "" : `${shown} of ${options.length}`;
  });
}
