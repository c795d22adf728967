// Opens the search by its button, `/`, or Ctrl+K. The dialog is there at once; what finds and shows results is loaded with it.
import { createElement } from "../create-element.ts";
import type { Palette } from "./palette.ts";
import type { SearchSource } from "./search-source.ts";

/** More words would take longer to find than a keystroke may. */
const MAX_QUERY_CHARACTERS = 120;

const sources: SearchSource[] = [];

/** Adds what the search of this page finds besides the documentation. */
export function addSearchSource(source: SearchSource): void {
  sources.push(source);
}

export function addSearch(document: Document): void {
  const button = document.querySelector<HTMLButtonElement>("[data-search]");
  if (!button) return;
  let dialog: SearchDialog | undefined;
  const open = () => {
    dialog ??= createDialog(document);
    dialog.open();
  };
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const field = target instanceof Element ? target.closest("input, textarea, select, [contenteditable]") : null;
    // Until the next frame, the field of a closed dialog has the focus.
    const isTyping = field?.checkVisibility();
    const isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isControlK = event.key === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isSlash && !isControlK) return;
    event.preventDefault();
    open();
  });
}

interface SearchDialog {
  readonly open: () => void;
}

function createDialog(document: Document): SearchDialog {
  const label = sources.length === 0 ? "Search the documentation" : "Search the documentation and your account";
  const input = createElement("input", {
    type: "text", // Escape would only clear a search field
    role: "combobox",
    placeholder: label,
    ariaLabel: label,
    ariaAutoComplete: "list",
    ariaExpanded: "false",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    enterKeyHint: "go",
    maxLength: MAX_QUERY_CHARACTERS,
    autofocus: true,
  });
  input.setAttribute("aria-controls", "search-results");
  const meaning = createElement("span", { className: "visually-hidden" }, "Close ");
  const close = createElement("button", { type: "button" }, meaning, createElement("kbd", {}, "Esc"));
  const status = createElement("p", { role: "status" }, "Loading the search …");
  const results = createElement("div", { id: "search-results", role: "listbox", ariaLabel: "Results", hidden: true });
  const field = createElement("div", { className: "search-field" }, input, close);
  const dialog = createElement("dialog", { className: "search-dialog", ariaLabel: "Search" }, field, status, results);
  dialog.setAttribute("closedby", "any");
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  close.addEventListener("click", () => dialog.close());
  document.body.append(dialog);

  let loading: Promise<Palette> | undefined;
  const load = async () => {
    const { createPalette } = await import("./palette.ts");
    return createPalette({ dialog, input, status, results }, sources);
  };
  const open = async () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    loading ??= load();
    try {
      (await loading).refresh();
    } catch {
      loading = undefined; // the next time, it is loaded again
      status.textContent = "The search couldn't be loaded. Check the connection, close this dialog, and open it again.";
    }
  };
  return { open: () => void open() };
}
