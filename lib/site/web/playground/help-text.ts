// The description of an option as plain text, in its first sentence and the rest.

export interface HelpText {
  readonly first: string;
  /** Empty for a description of one sentence. */
  readonly rest: string;
}

/** Descriptions are Markdown with code and links only. */
export function helpText(description: string): HelpText {
  const text = plainText(description);
  const [first = text] = /^.*?[.!?](?=\s|$)/s.exec(text) ?? [];
  return { first, rest: text.slice(first.length).trim() };
}

export const plainText = (markdown: string): string =>
  markdown.replaceAll("`", "").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
