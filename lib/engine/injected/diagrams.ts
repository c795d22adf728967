/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Draws the Mermaid diagrams of a Markdown document. Mermaid must have been run in the same world.

/** The part of Mermaid that is used here. */
interface Mermaid {
  initialize(settings: object): void;
  render(id: string, source: string, container: Element): Promise<{ readonly svg: string }>;
}

export type DiagramColors = "light" | "dark" | "preferred";

let blocks: HTMLElement[] = [];

/** The place of the diagram that is being drawn. */
let drawing: HTMLElement | undefined;

/** Finds the blocks of code in Mermaid's language. Returns their number. */
export function findDiagrams(): number {
  const codes = [...document.querySelectorAll<HTMLElement>("pre > code.language-mermaid")];
  blocks = codes.flatMap(({ parentElement }) => parentElement ?? []);
  return blocks.length;
}

/** Sets how diagrams look. They have no scripts, and the same ids and places in each capture. */
export function setUpDiagrams(colors: DiagramColors): void {
  const prefersDark = matchMedia("screen and (prefers-color-scheme: dark)").matches;
  mermaid().initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    deterministicIds: true,
    theme: colors === "dark" || (colors === "preferred" && prefersDark) ? "dark" : "default",
    fontFamily: getComputedStyle(document.body).fontFamily,
  });
}

/** Draws a diagram in place of its source. Returns why it can't be drawn; its source stays then. */
export async function drawDiagram(index: number): Promise<string | null> {
  const block = blocks[index];
  if (!block) return null; // another document
  const figure = document.createElement("div");
  figure.className = "diagram";
  drawing = figure;
  block.before(figure); // it is measured with the styles of its place
  const random = Math.random;
  try {
    Math.random = seededRandom();
    const { svg } = await mermaid().render(unusedId(index), block.textContent ?? "", figure);
    figure.innerHTML = svg;
    block.remove();
    return null;
  } catch (error) {
    figure.remove();
    return String((error as { message?: unknown } | undefined)?.message ?? error).slice(0, 1_000);
  } finally {
    Math.random = random;
    drawing = undefined;
  }
}

/** Removes what has been drawn so far of the last diagram. */
export function discardDrawing(): void {
  drawing?.remove();
}

/** Some layouts begin with random places. The generator is Mulberry32. */
function seededRandom(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Mermaid removes an element that has the id of a diagram, which may be one of the author. */
function unusedId(index: number): string {
  for (let number = index + 1; ; number += blocks.length) {
    const id = `diagram-${number}`;
    if (!document.getElementById(id) && !document.getElementById(`d${id}`)) return id;
  }
}

function mermaid(): Mermaid {
  return (globalThis as unknown as { readonly mermaid: Mermaid }).mermaid;
}
