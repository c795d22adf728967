/** A text of a customer or an operator without anything that starts a line, so that it writes no lines of a mail. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
