// Builds what Markdown documents need in the page, from packages: when the functions are bundled, and on first use where they run
// from source.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const packages = join(import.meta.dirname, "../../../node_modules");

/** KaTeX's style sheet with its fonts as data URLs, so that a document loads nothing. Chromium needs WOFF2 alone. */
export function buildKatexStyle(): string {
  const folder = join(packages, "katex/dist");
  const style = readFileSync(join(folder, "katex.min.css"), "utf8");
  return style.replace(/src:url\((fonts\/[\w-]+\.woff2)\)[^;}]*/g, (_, file: string) => {
    const font = readFileSync(join(folder, file)).toString("base64");
    return `src:url(data:font/woff2;base64,${font}) format("woff2")`;
  });
}

export function buildMermaidScript(): string {
  return readFileSync(join(packages, "mermaid/dist/mermaid.min.js"), "utf8");
}
