// KaTeX's style sheet, whose fonts are data URLs.

/** Written into the functions' bundles by `lib/infra/bundling/bundle.ts`, and not defined in source. */
declare const KATEX_STYLE: string;

export async function katexStyle(): Promise<string> {
  // esbuild leaves the branch out of the functions' bundles.
  if (typeof KATEX_STYLE === "undefined") return (await import("./build-markdown-assets.ts")).buildKatexStyle();
  return KATEX_STYLE;
}
