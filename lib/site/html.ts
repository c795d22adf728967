// HTML as a template literal: what is inserted is escaped unless it is HTML itself.

/** A piece of HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

type Insertion = Html | string | number | false | undefined | readonly Insertion[];

/** Inserts texts escaped, HTML and lists as they are, and nothing for `false` and `undefined`. */
export function html(parts: TemplateStringsArray, ...insertions: readonly Insertion[]): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${toHtml(insertions[index - 1])}${part}`));
}

/** Trusts a text to be HTML. */
export const rawHtml = (text: string): Html => new Html(text);

function toHtml(insertion: Insertion): string {
  if (insertion === undefined || insertion === false) return "";
  if (insertion instanceof Html) return insertion.text;
  return Array.isArray(insertion) ? insertion.map(toHtml).join("") : escapeHtml(String(insertion));
}

/** For text and for attributes in quotation marks. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
