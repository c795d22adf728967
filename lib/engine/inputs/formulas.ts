// Formulas in the HTML of a Markdown document: `code` elements with the language `math`.
import type { Element, Nodes, Root } from "hast";
import { textContent, walk } from "./syntax-tree.ts";

export interface MarkdownFormula {
  /** What is replaced by the formula: its `code`, or the `pre` around it. */
  readonly element: Element;
  readonly tex: string;
  /** True for a formula on a line of its own. */
  readonly isDisplayed: boolean;
}

/** The formulas in document order. */
export function findFormulas(tree: Root): MarkdownFormula[] {
  const formulas: MarkdownFormula[] = [];
  const inBlocks = new Set<Element>();
  for (const node of walk<Nodes>(tree)) {
    if (node.type !== "element" || inBlocks.has(node)) continue;
    const code = node.tagName === "pre" ? onlyElement(node) : node;
    if (code?.tagName !== "code" || !classNames(code).includes("language-math")) continue;
    inBlocks.add(code);
    const isDisplayed = code !== node || classNames(code).includes("math-display");
    formulas.push({ element: node, tex: textContent(code), isDisplayed });
  }
  return formulas;
}

/** Shows formulas as their source: in a paragraph between dollars, as code, so that Markdown made of it has the same formula. */
export function quoteFormulas(formulas: readonly MarkdownFormula[]): void {
  for (const { element } of formulas) {
    if (element.tagName === "pre") continue;
    const dollar = { type: "text", value: "$" } as const;
    element.children = [dollar, { ...element, properties: {} }, dollar];
    element.tagName = "span";
    element.properties = {};
  }
}

function onlyElement({ children }: Element): Element | undefined {
  const [child, ...others] = children.filter((child) => child.type === "element");
  return others.length === 0 ? child : undefined;
}

function classNames({ properties }: Element): readonly unknown[] {
  return Array.isArray(properties.className) ? properties.className : [];
}
