/// <reference lib="dom" />
// Writes content as plain text. Noncharacters mark what the end of the reading decides about: spaces, line ends and cells.
import type { ContentWriter, TextStyle } from "./content-writer.ts";
import type { Formula } from "./formulas.ts";

const MARKS = /[\ufdd0-\ufdd4]/g;
const LINE = "\ufdd0"; // a block begins or ends
const PARAGRAPH = "\ufdd1";
const CELL = "\ufdd2";
const KEPT_SPACE = "\ufdd3";
const KEPT_END = "\ufdd4"; // a line end within a block

export const textWriter: ContentWriter = {
  text(data, { collapse }: TextStyle) {
    const text = data.replace(MARKS, "\ufffd");
    if (collapse === "collapse") return text.replace(/[ \t\n\r\f]+/g, " ");
    if (collapse === "preserve-breaks")
      return text
        .split("\n")
        .map(trimLine)
        .join(KEPT_END)
        .replace(/[ \t\r\f]+/g, " ");
    return text.replace(/\r?\n/g, KEPT_END).replace(/ /g, KEPT_SPACE);
  },
  lineEnd: KEPT_END,
  options: (lines) => `${LINE}${lines.join(LINE)}${LINE}`,
  formula: ({ source, isTex, isDisplay }: Formula) => {
    const text = textWriter.text(source, { collapse: "collapse", isCode: false });
    if (!isTex) return isDisplay ? `${LINE}${text}${LINE}` : text;
    return isDisplay ? `${LINE}$$${text}$$${LINE}` : `$${text}$`;
  },
  block: (content) => `${LINE}${content}${LINE}`,
  inline: (_, content, isFlat) => (isFlat ? content.replace(/[\ufdd0\ufdd1]/g, "") : content),
  element(element, content, display) {
    if (display === "table-cell") return `${trim(content, ` ${LINE}${PARAGRAPH}`)}${CELL}`;
    const end = element.localName === "p" ? PARAGRAPH : LINE;
    return `${end}${content}${end}`;
  },
  replaced: () => undefined,
  isLink: () => false,
};

/** Without the white space next to a line end. */
function trimLine(line: string, index: number, lines: readonly string[]): string {
  return trim(line, " \t\r", { start: index > 0, end: index < lines.length - 1 });
}

/** Without these characters at its ends. An expression would take quadratic time for a text of such characters. */
function trim(text: string, characters: string, { start = true, end = true } = {}): string {
  let [from, to] = [0, text.length];
  while (start && from < to && characters.includes(text.charAt(from))) from++;
  while (end && to > from && characters.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** What separates two cells: a tab, or the line end after the last cell of a row, and a tab for each empty cell of the next one. */
function separateCells(marks: string): string {
  const firstCell = marks.indexOf(CELL);
  if (firstCell === -1) return marks;
  const lastLine = marks.lastIndexOf(LINE);
  const rest = marks.slice(Math.max(lastLine, 0));
  const tabs = "\t".repeat(rest.split(CELL).length - 1);
  if (lastLine === -1) return tabs;
  return tabs === "" ? rest : `${LINE}${tabs}`;
}

/** The text, with the marks replaced. */
export function finishText(text: string): string {
  return text
    .replace(/[ \ufdd0-\ufdd2]+/g, separateCells)
    .replace(/ {2,}/g, " ")
    .replace(/ ?\ufdd4 ?/g, KEPT_END)
    .replace(/[ \ufdd4]?[\ufdd0\ufdd1][ \ufdd0\ufdd1]*/g, (ends) => (ends.includes(PARAGRAPH) ? "\n\n" : "\n"))
    .replaceAll(KEPT_SPACE, " ")
    .replaceAll(KEPT_END, "\n")
    .replace(/\n{3,}/g, "\n\n");
}
