// The search dialog: opened by its button, `/`, or Ctrl+K; loads the index of the documentation once.
import { createElement } from "./create-element.ts";
import { type SearchEntry, search } from "./search.ts";
import { apiBaseUrl } from "./service-address.ts";

export function addSearch(document: Document): void {
  const button = document.querySelector<HTMLButtonElement>("[data-search]");
  if (!button) return;
  let dialog: HTMLDialogElement | undefined;
  const open = () => {
    dialog ??= createDialog(document);
    if (!dialog.open) dialog.showModal();
  };
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
    const isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isControlK = event.key === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isSlash && !isControlK) return;
    event.preventDefault();
    open();
  });
}

function createDialog(document: Document): HTMLDialogElement {
  const input = createElement("input", {
    type: "text", // Escape would only clear a search field
    role: "searchbox",
    placeholder: "Search the documentation",
    ariaLabel: "Search the documentation",
    autocomplete: "off",
    autofocus: true,
  });
  const results = createElement("ol");
  const message = createElement("p", { role: "status" }, "Type an option, an error code, or a word.");
  const dialog = createElement("dialog", { className: "search-dialog", ariaLabel: "Search" }, input, message, results);
  dialog.setAttribute("closedby", "any");
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || (event.target instanceof Element && event.target.closest("a"))) dialog.close();
  });

  const entries = loadIndex();
  const update = async () => {
    const query = input.value;
    try {
      const found = search(await entries, query);
      if (query !== input.value) return; // a later key was pressed meanwhile
      results.replaceChildren(...found.map(resultItem));
      message.hidden = found.length > 0;
      message.textContent = query.trim() === "" ? "Type an option, an error code, or a word." : "Nothing found.";
    } catch {
      message.textContent = "The index couldn't be loaded. Reload the page.";
    }
  };
  input.addEventListener("input", () => void update());
  dialog.addEventListener("keydown", (event) => {
    const links = [...results.querySelectorAll("a")];
    const index = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === "Enter" && document.activeElement === input) links[0]?.click();
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    (links[index + (event.key === "ArrowDown" ? 1 : -1)] ?? input).focus();
  });
  document.body.append(dialog);
  return dialog;
}

async function loadIndex(): Promise<SearchEntry[]> {
  const response = await fetch(`${apiBaseUrl}/docs/search.json`);
  if (!response.ok) throw new Error(`The index has status ${response.status}.`);
  return response.json();
}

function resultItem([path, page, title, text]: SearchEntry): HTMLLIElement {
  const label = title === "" ? page : `${title} · ${page}`;
  return createElement(
    "li",
    {},
    createElement("a", { href: `${apiBaseUrl}${path}` }, label, createElement("span", {}, text.slice(0, 140))),
  );
}
