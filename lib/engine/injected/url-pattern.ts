// URL patterns of callers, with `*` as a wildcard.

/**
 * True if `address` contains `pattern`, in which `*` matches any characters; ignores case. A pattern with a `*` that does
 * not end with one must end where a part of the URL ends, so that `*.js` does not match `.json`. Takes linear time, which
 * a regular expression of many wildcards does not.
 */
export function matchesUrlPattern(pattern: string, address: string): boolean {
  const text = address.toLowerCase();
  const parts = pattern.toLowerCase().split("*");
  const last = parts.pop() ?? "";
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (parts.length === 0 || last === "" || /[^\p{L}\p{N}]$/u.test(last)) return text.includes(last, at);
  if (text.length - last.length >= at && text.endsWith(last)) return true;
  return [...":/?#&"].some((next) => text.includes(last + next, at));
}

/**
 * True if `pattern`, in which `*` matches any characters, matches the whole of `address`; a pattern without a `*` may be
 * anywhere in it. Ignores case. Takes linear time.
 */
export function matchesText(pattern: string, address: string): boolean {
  const text = address.toLowerCase();
  const [first = "", ...parts] = pattern.toLowerCase().split("*");
  const last = parts.pop();
  if (last === undefined) return text.includes(first);
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
