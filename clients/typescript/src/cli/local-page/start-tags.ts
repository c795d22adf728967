// Finds the start tags of an HTML document, with the positions of their attribute values and of the text in styles and scripts.

export interface Attribute {
  /** In lower case. */
  readonly name: string;
  /** Without quotes, and with its character references decoded. */
  readonly value: string;
  /** Where the value is in the document, with its quotes. */
  readonly range: Range;
}

export type Range = readonly [start: number, end: number];

export interface StartTag {
  /** In lower case. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** Where the text of a style or a script is; undefined for other elements. */
  readonly text: Range | undefined;
}

const OPENING = /<!--|<([a-z][^\s/>]*)/gi;
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>][^\s>]*)?)?/dy;
/** Elements whose content has no tags. */
const TEXT_ELEMENTS = ["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"];

/** Comments, and what looks like a tag in a script, are no tags. */
export function* startTags(html: string): Generator<StartTag, void, undefined> {
  OPENING.lastIndex = 0;
  let position = 0;
  for (;;) {
    OPENING.lastIndex = position;
    const opening = OPENING.exec(html);
    if (!opening) return;
    const name = opening[1]?.toLowerCase();
    if (name === undefined) {
      const end = html.indexOf("-->", OPENING.lastIndex);
      if (end === -1) return;
      position = end + 3;
      continue;
    }
    const { attributes, end } = readAttributes(html, OPENING.lastIndex);
    const text = TEXT_ELEMENTS.includes(name) ? textRange(html, name, end) : undefined;
    position = text?.[1] ?? end;
    yield { name, attributes, text };
  }
}

function readAttributes(html: string, start: number) {
  const attributes: Attribute[] = [];
  ATTRIBUTE.lastIndex = start;
  let end = start;
  for (let found = ATTRIBUTE.exec(html); found; found = ATTRIBUTE.exec(html)) {
    end = ATTRIBUTE.lastIndex;
    const [, name = "", quoted] = found;
    const range = found.indices?.[2];
    if (quoted === undefined || range === undefined) continue;
    const value = decodeReferences(/^["']/.test(quoted) ? quoted.slice(1, -1) : quoted);
    attributes.push({ name: name.toLowerCase(), value, range });
  }
  return { attributes, end: Math.max(end, html.indexOf(">", end) + 1) };
}

function textRange(html: string, name: string, start: number): Range {
  const ending = new RegExp(`</${name}[\\s/>]`, "gi");
  ending.lastIndex = start;
  return [start, ending.exec(html)?.index ?? html.length];
}

const references: Readonly<Record<string, string>> = { "&amp;": "&", "&quot;": '"', "&#39;": "'", "&apos;": "'" };

/** Decodes the character references that occur in addresses and styles. */
function decodeReferences(text: string): string {
  return text.replaceAll(/&(?:amp|quot|#39|apos);/g, (reference) => references[reference] ?? reference);
}
