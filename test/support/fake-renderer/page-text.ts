// The text and the title of a page by simple patterns, without a browser that parses it.

/** The text of a page, without its markup. */
export function textOf(source: string): string {
  return source
    .replace(/<(title|style|script)\b.*?<\/\1>/gis, "")
    .replace(/<!--.*?-->|<!doctype[^>]*>|<[^>]+>/gis, "")
    .trim();
}

export function titleOf(source: string): string | null {
  return /<title>(.*?)<\/title>/is.exec(source)?.[1] ?? null;
}
