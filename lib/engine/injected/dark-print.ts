/// <reference lib="dom" />
// Prints a dark page dark: Chromium prints in the light scheme, although media queries for the dark one match.

import { queryAllRoots } from "./dom/shadow-roots.ts";
import { parentElement } from "./dom/tree.ts";
import { addStyle } from "./pdf.ts";

const TRANSPARENT = "rgba(0, 0, 0, 0)";

/**
 * Gives the dark scheme to elements that have both, and so to `light-dark()`, to the fields of forms and to the sheet; and the background
 * of the page to the margins of the sheet.
 */
export async function printDark(): Promise<void> {
  const root = document.documentElement;
  const meta = document.querySelector<HTMLMetaElement>("meta[name=color-scheme i]")?.content ?? "";
  if (getComputedStyle(root).colorScheme === "normal" && isDark(meta)) setDark(root);
  const dark = queryAllRoots<HTMLElement>("*").filter((element) => {
    const { colorScheme } = getComputedStyle(element);
    const parent = parentElement(element);
    return isDark(colorScheme) && (!parent || getComputedStyle(parent).colorScheme !== colorScheme);
  });
  for (const element of dark) setDark(element);
  const colours = [root, document.body].map((element) =>
    element ? getComputedStyle(element).backgroundColor : TRANSPARENT,
  );
  const background = colours.find((colour) => colour !== TRANSPARENT);
  if (background !== undefined) await addStyle(`@page { background-color: ${background} }`);
}

function isDark(colorScheme: string): boolean {
  return /\bdark\b/.test(colorScheme);
}

function setDark({ style }: HTMLElement): void {
  style?.setProperty("color-scheme", "dark", "important");
}
