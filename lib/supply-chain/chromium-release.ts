// The recorded release of Chromium, as source text: `npm run upgrade:chromium` rewrites it.

export interface ChromiumRelease {
  /** Version of the npm package. */
  readonly version: string;
  /** Version of the browser in it. */
  readonly browser: string;
  /** Date on which the package was published, such as `2026-09-11`. */
  readonly published: string;
}

/** The source of `chromium-build.ts` with another release. Throws when a field is not found exactly once. */
export function withRelease(source: string, release: ChromiumRelease): string {
  return Object.entries(release).reduce((text, [field, value]) => {
    const pattern = new RegExp(`(\\b${field}: ")[^"]*(",)`, "g");
    const matches = text.match(pattern)?.length ?? 0;
    if (matches !== 1) throw new Error(`The field '${field}' is in the source ${matches} times, not once.`);
    return text.replace(pattern, `$1${value}$2`);
  }, source);
}

/** The version in what `chromium --version` prints. Throws for anything else. */
export function browserVersion(printed: string): string {
  const [, version] = /^Chromium (\d+\.\d+\.\d+\.\d+)\s*$/.exec(printed) ?? [];
  if (version === undefined) throw new Error(`Chromium printed '${printed.trim()}' instead of its version.`);
  return version;
}
