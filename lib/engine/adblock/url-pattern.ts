// Addresses that a caller names by a pattern.

/**
 * True where `address` holds `pattern`, in which `*` stands for any characters; case makes no difference. A pattern with
 * a `*` that does not end with one ends where a part of the address does, so that `*.js` is no `.json`. Takes linear
 * time, which a regular expression made of many stars would not. Travels into pages as text.
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
  for (let found = text.indexOf(last, at); found >= 0; found = text.indexOf(last, found + 1)) {
    const next = text.charAt(found + last.length);
    if (next === "" || ":/?#&".includes(next)) return true;
  }
  return false;
}

/**
 * True where `address` is spelt by `pattern` from its beginning to its end, in which `*` stands for any characters; a
 * pattern without one may be anywhere in it. Case makes no difference. As linear as the other.
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
