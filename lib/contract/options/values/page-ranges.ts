// Parses page ranges of a PDF: `1-5,8`, `3-`, `-2`.

/** Pages count from 1. Without `last` the range goes to the end of the document. */
export interface PageRange {
  readonly first: number;
  readonly last?: number;
}

/** Longer documents take longer to print than a capture can last. */
const MAX_PAGE = 99_999;

/** The ranges in their order; undefined if the text is no list of pages and ranges, or a range runs backwards. */
export function parsePageRanges(list: string): readonly PageRange[] | undefined {
  const ranges = list.split(",").map(parseRange);
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

function parseRange(text: string): PageRange | undefined {
  const [, from = "", dash, to = ""] = /^(\d{0,5})(?:\s*(-)\s*(\d{0,5}))?$/.exec(text.trim()) ?? [];
  if (from === "" && to === "") return undefined;
  const first = from === "" ? 1 : Number(from);
  const last = dash === undefined ? first : to === "" ? undefined : Number(to);
  if (first < 1 || first > (last ?? MAX_PAGE)) return undefined;
  return { first, ...(last !== undefined && { last }) };
}
