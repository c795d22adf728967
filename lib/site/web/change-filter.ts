// The buttons of the changelog: each shows or hides the changes of one part of the product.

export function addChangeFilter(filter: HTMLElement): void {
  const changes = [...document.querySelectorAll<HTMLElement>("[data-change]")];
  for (const button of filter.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const isShown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(isShown));
      for (const change of changes) {
        if (change.dataset["change"] === button.value) change.toggleAttribute("data-shown", isShown);
      }
    });
  }
}
