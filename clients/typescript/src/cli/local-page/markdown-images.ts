// Replaces the addresses of images in Markdown, but not in code.

/** Fenced code, code spans, images, and definitions of references. */
const TOKEN =
  /^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))|(`+)(?!`)[^\n]*?[^`]\2(?!`)|(!\[[^\]\n]*\]\(\s*<?)([^\s)>]+)|(^ {0,3}\[[^\]\n]+\]:\s*<?)([^\s>]+)/gm;

const IMAGE = /\.(avif|bmp|gif|jpe?g|png|svg|webp)([?#]|$)/i;

/** `replace` returns the new address of an image, or undefined to keep it. */
export function replaceMarkdownImages(markdown: string, replace: (address: string) => string | undefined): string {
  return markdown.replaceAll(TOKEN, (token, _fence, _ticks, image, shown, definition, defined) => {
    if (shown !== undefined) return image + (replace(shown) ?? shown);
    if (defined !== undefined && IMAGE.test(defined)) return definition + (replace(defined) ?? defined);
    return token;
  });
}
