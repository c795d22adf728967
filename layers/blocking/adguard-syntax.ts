// Converts filters in AdGuard's syntax to that of the engine (uBlock Origin's), which would ignore them otherwise.

/** Hiding by conditions beyond CSS (`?`), styles (`$`), and both; `@` takes such a rule back. */
const ADGUARD_COSMETIC = /^(?<domains>[^#]*)#(?<exception>@?)(?<kind>\?|\$\??)#(?<body>.+)$/;
const STYLED = /^(?<selector>[^@{][^{]*?)\s*\{\s*(?<declarations>[^{}]*?)\s*\}$/;

/** Conditions that both know, under different names. */
const CONDITIONS: Readonly<Record<string, string>> = {
  ":contains(": ":has-text(",
  ":-abp-contains(": ":has-text(",
  ":-abp-has(": ":has(",
  ":nth-ancestor(": ":upward(",
};

/** A list in the engine's syntax, without filters that the syntax cannot express. */
export function toAdblockSyntax(list: string): string {
  return list.split(/\r?\n/).flatMap(translate).join("\n");
}

function translate(line: string): string[] {
  // Only for some paths of a site: the engine would take it for a rule of all of them.
  if (line.startsWith("[$")) return [];
  const found = ADGUARD_COSMETIC.exec(line)?.groups;
  if (!found) return [line];
  const { domains = "", exception = "", kind = "", body = "" } = found;
  const selector = kind === "?" ? conditions(body) : styled(body);
  return selector === undefined ? [] : [`${domains}#${exception}#${selector}`];
}

/** `selector { declarations }` as `selector:style(declarations)`. Undefined for media queries and the like. */
function styled(body: string): string | undefined {
  const { selector = "", declarations = "" } = STYLED.exec(body)?.groups ?? {};
  if (selector === "" || declarations === "") return;
  if (/^remove: *true;?$/.test(declarations)) return `${conditions(selector)}:remove()`;
  // The engine keeps styles as bytes of ASCII.
  return /^[ -~]+$/.test(declarations) ? `${conditions(selector)}:style(${declarations})` : undefined;
}

function conditions(selector: string): string {
  return Object.entries(CONDITIONS).reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours), selector);
}
