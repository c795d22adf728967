// Prepares HTML tables for Markdown, where a cell is one line and every row has all columns.
import type { Element, ElementContent, Nodes, Root } from "hast";
import { walk } from "../../inputs/syntax-tree.ts";

/** Unwraps layout tables and tables with too many cells into blocks; makes the cells of the others one line. */
export function convertTables(tree: Root): void {
  let cells = 0;
  for (const node of walk<Nodes>(tree)) {
    if (node.type !== "element" || node.tagName !== "table") continue;
    const rows = tableRows(node);
    const columns = countColumns(rows);
    if (columns > 1 && cells + rows.length * columns <= MAX_CELLS && !isLayout(node, rows)) {
      cells += rows.length * columns;
      for (const cell of rows.flatMap(rowCells)) flattenCell(cell);
    } else {
      for (const part of [node, ...childElements(node), ...rows, ...rows.flatMap(rowCells)]) part.tagName = "div";
    }
  }
}

const MAX_CELLS = 100_000; // every row is padded to the widest, so 1 MB of HTML can ask for billions

function childElements({ children }: Element): Element[] {
  return children.filter((child) => child.type === "element");
}

/** The parser puts every row into a section. */
function tableRows(table: Element): Element[] {
  return childElements(table)
    .flatMap((section) => childElements(section))
    .filter(({ tagName }) => tagName === "tr");
}

function rowCells(row: Element): Element[] {
  return childElements(row).filter(({ tagName }) => tagName === "td" || tagName === "th");
}

/** Columns of the widest row, including cells that span into it from above. */
function countColumns(rows: readonly Element[]): number {
  const changes = new Array<number>(rows.length + 1).fill(0); // change in the number of cells from above, per row
  let fromAbove = 0;
  let columns = 0;
  rows.forEach((row, index) => {
    fromAbove += changes[index] ?? 0;
    let ownColumns = 0;
    for (const cell of rowCells(row)) {
      const width = span(cell.properties.colSpan);
      const height = Math.min(span(cell.properties.rowSpan), rows.length - index);
      ownColumns += width;
      if (height === 1) continue;
      changes[index + 1] = (changes[index + 1] ?? 0) + width;
      changes[index + height] = (changes[index + height] ?? 0) - width;
    }
    columns = Math.max(columns, ownColumns + fromAbove);
  });
  return columns;
}

function span(value: unknown): number {
  return Math.max(1, Math.floor(Number(value)) || 1);
}

const BLOCKS = new Set("blockquote dl h1 h2 h3 h4 h5 h6 hr ol pre table ul".split(" "));

/** A layout table says so by its role, or has no header cells and contains more than a line of text. */
function isLayout(table: Element, rows: readonly Element[]): boolean {
  const { role } = table.properties;
  if (role === "presentation" || role === "none") return true;
  const cells = rows.flatMap(rowCells);
  if (cells.some(({ tagName }) => tagName === "th")) return false;
  return cells.some((cell) => {
    for (const node of walk<Nodes>(cell)) {
      if (node.type === "element" && BLOCKS.has(node.tagName)) return true;
    }
    return false;
  });
}

const LINES = new Set("blockquote dd div dt h1 h2 h3 h4 h5 h6 hr li p pre td th".split(" "));
const GROUPS = new Set(
  "address article aside center dl figure footer header main nav ol section table tbody tfoot thead tr ul".split(" "),
);

/** An element that stands for the end of a line in a cell. */
export const CELL_LINE_END = "x-line-end";

const lineEnd = (): Element => ({ type: "element", tagName: CELL_LINE_END, properties: {}, children: [] });

function isLineEnd(node: ElementContent | undefined): boolean {
  return node?.type === "element" && node.tagName === CELL_LINE_END;
}

function isEmpty(node: ElementContent | undefined): boolean {
  return isLineEnd(node) || (node?.type === "text" && node.value.trim() === "");
}

/** Makes a cell one line of Markdown, in which an element stands for each end of a line of its content. */
function flattenCell(cell: Element): void {
  const parts = flatten(cell.children, false);
  while (isEmpty(parts[0])) parts.shift();
  while (isEmpty(parts.at(-1))) parts.pop();
  cell.children = parts;
}

function flatten(nodes: readonly ElementContent[], isCode: boolean): ElementContent[] {
  const parts: ElementContent[] = [];
  for (const node of nodes.flatMap((each) => flattenNode(each, isCode))) {
    if (!isLineEnd(node)) {
      if (node.type === "text" && isLineEnd(parts.at(-1))) node.value = node.value.trimStart();
      if (node.type !== "text" || node.value !== "") parts.push(node);
      continue;
    }
    const before = parts.at(-1);
    if (before?.type === "text") before.value = before.value.trimEnd();
    if (before?.type === "text" && before.value === "") parts.pop();
    if (!isLineEnd(parts.at(-1))) parts.push(node);
  }
  return parts;
}

function flattenNode(node: ElementContent, isCode: boolean): ElementContent[] {
  if (node.type === "text" && isCode) {
    return node.value
      .split("\n")
      .flatMap((value, index): ElementContent[] => [...(index > 0 ? [lineEnd()] : []), { type: "text", value }]);
  }
  if (node.type !== "element") return [node];
  if (node.tagName === "br") return [lineEnd()];
  const content = flatten(node.children, isCode || node.tagName === "pre");
  if (LINES.has(node.tagName)) return [lineEnd(), ...content, lineEnd()];
  if (GROUPS.has(node.tagName)) return content;
  // Line ends at the edges of a link or of emphasis belong outside of it.
  const before = isLineEnd(content[0]) ? content.splice(0, 1) : [];
  const after = isLineEnd(content.at(-1)) ? content.splice(-1) : [];
  return [...before, { ...node, children: content }, ...after];
}
