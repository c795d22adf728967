// Mermaid's script, which draws diagrams in a page.

/** Written into the functions' bundles by `lib/infra/bundling/bundle.ts`, and not defined in source. */
declare const MERMAID_SCRIPT: string;

/** The script as text. It defines `mermaid` in the world that it is run in. */
export async function mermaidScript(): Promise<string> {
  // esbuild leaves the branch out of the functions' bundles.
  if (typeof MERMAID_SCRIPT === "undefined") return (await import("./build-markdown-assets.ts")).buildMermaidScript();
  return MERMAID_SCRIPT;
}
