// Blocks of code: buttons that copy, and tabs that choose the language of all samples.
import { sampleLanguages } from "../samples/sample-languages.ts";
import { createElement } from "./create-element.ts";
import { chosenSampleLanguage, storeSampleLanguage } from "./shared/sample-language.ts";

const languages: Readonly<Record<string, string>> = sampleLanguages;

export function addSampleTabs(document: Document): void {
  const groups = [...document.querySelectorAll<HTMLElement>(".samples")];
  for (const group of groups) {
    group.prepend(tabList(group, (language) => choose(groups, language)));
    for (const line of group.querySelectorAll<HTMLElement>(".install")) {
      line.append(copyButton(() => line.querySelector("code")));
    }
  }
  show(groups, chosenSampleLanguage());
}

/** Keeps the clicked group where it is, although the ones above change their height. */
function choose(groups: readonly HTMLElement[], language: string): void {
  const clicked = document.activeElement;
  const before = clicked?.getBoundingClientRect().top ?? 0;
  storeSampleLanguage(language);
  show(groups, language);
  scrollBy({ top: (clicked?.getBoundingClientRect().top ?? 0) - before, behavior: "instant" });
}

function show(groups: readonly HTMLElement[], language: string): void {
  for (const group of groups) {
    const panels = [...group.querySelectorAll<HTMLElement>("[data-language]")];
    // Not every group has every language: some have no curl.
    const shown = panels.find((panel) => panel.dataset["language"] === language) ?? panels[0];
    for (const panel of panels) panel.hidden = panel !== shown;
    for (const tab of group.querySelectorAll<HTMLButtonElement>("[role=tab]")) {
      const isSelected = tab.value === shown?.dataset["language"];
      tab.ariaSelected = String(isSelected);
      tab.tabIndex = isSelected ? 0 : -1;
    }
  }
}

function tabList(group: HTMLElement, onChoose: (language: string) => void): HTMLElement {
  const tabs = [...group.querySelectorAll<HTMLElement>("[data-language]")].map((panel) => {
    const value = panel.dataset["language"] ?? "";
    const tab = createElement("button", { type: "button", role: "tab", value }, languages[value] ?? value);
    panel.role = "tabpanel";
    panel.ariaLabel = languages[value] ?? value;
    tab.addEventListener("click", () => onChoose(value));
    return tab;
  });
  const list = createElement("div", { role: "tablist", ariaLabel: "Language" }, ...tabs);
  list.addEventListener("keydown", ({ key }) => {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = tabs[(tabs.findIndex((tab) => tab.tabIndex === 0) + step + tabs.length) % tabs.length];
    next?.focus();
    next?.click();
  });
  const { try: address } = group.dataset;
  return createElement(
    "div",
    { className: "sample-bar" },
    list,
    ...(address === undefined
      ? []
      : [
          createElement(
            "a",
            { className: "try", href: address, title: "Open this request in the playground" },
            "Try it",
          ),
        ]),
    copyButton(() => group.querySelector<HTMLElement>("[data-language]:not([hidden]) pre code")),
  );
}

export function addCopyButtons(document: Document): void {
  addMarkdownButton(document);
  for (const pre of document.querySelectorAll<HTMLElement>("article pre, .copyable > pre")) {
    if (pre.closest(".samples")) continue;
    const wrapper = pre.closest(".copyable") ?? createElement("div", { className: "copyable" });
    if (!wrapper.isConnected) pre.replaceWith(wrapper);
    wrapper.append(
      pre,
      copyButton(() => pre.querySelector("code") ?? pre),
    );
  }
}

/** Copies the Markdown of the page, which is loaded when it is requested. */
function addMarkdownButton(document: Document): void {
  const link = document.querySelector<HTMLAnchorElement>("[data-markdown]");
  if (!link) return;
  const label = "Copy as Markdown";
  const button = createElement("button", { type: "button", className: "link" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(await (await fetch(link.href)).text());
      button.textContent = "Copied";
    } catch {
      location.assign(link.href); // to be copied there
    }
    setTimeout(() => {
      button.textContent = label;
    }, 2_000);
  });
  link.before(button, " · ");
}

function copyButton(source: () => HTMLElement | null): HTMLButtonElement {
  const button = createElement("button", { type: "button", className: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source()?.textContent?.trimEnd() ?? "");
      button.textContent = "Copied";
    } catch {
      button.textContent = "Press Ctrl+C"; // without a secure context there is no clipboard; the text is selected instead
      const code = source();
      if (code) getSelection()?.selectAllChildren(code);
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  });
  return button;
}
