// Which pages of a document are wanted: `1-5,8`, `3-`, `-2`.

/** Pages count from 1. Without `last` the range goes to the end of the document. */
export interface PageRange {
  readonly first: number;
  readonly last?: number;
}

/** Longer documents cannot be printed in a capture's time. */
const MAX_PAGE = 99_999;

/** The ranges of a list, in the order given; undefined when it is not a list of pages and ranges, or one runs backwards. */
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
