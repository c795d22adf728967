// The sentences of Markdown, as a reader counts their words: code is one word, and addresses of links are none.

/** Ends a paragraph, for the split: no sentence goes on behind it. */
const END = "\n\n";

/** The sentences of the prose of a page, in order: of paragraphs, list items, headings, and cells of tables. */
export function sentencesOf(markdown: string): string[] {
  return markdown
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, END)
    .replaceAll(/<!--[\s\S]*?-->/g, END)
    .replaceAll(/``[^`\n]+(?:`[^`\n]+)*``|`[^`]+`/g, "CODE")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^\|[ :|-]+\|$/gm, END)
    .replaceAll(/^\|.*\|$/gm, (row) => row.split("|").join(END))
    .replaceAll(/^ *(?:[-*]|\d+\.) /gm, END)
    .replaceAll(/^#+ .*$/gm, (heading) => `${END}${heading.replace(/^#+ /, "")}${END}`)
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, " ").split(/(?<=[.!?]["”)*]{0,3}) (?=["“(*]{0,3}[A-Z0-9])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[a-z]/i.test(sentence));
}

/** How many words a sentence has: what stands between blanks, without signs such as × and –. */
export const countWords = (sentence: string): number =>
  sentence.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
