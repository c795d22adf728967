// The recorded release of Chromium, as source text: `npm run upgrade:chromium` rewrites it.

export interface ChromiumRelease {
  /** Version of the npm package. */
  readonly version: string;
  /** Version of the browser in it. */
  readonly browser: string;
  /** Date on which the package was published, such as `2026-09-11`. */
  readonly published: string;
  /** Position on Chromium's main branch of its source. */
  readonly position: string;
  /** Date of that position, at the earliest. */
  readonly branched: string;
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

/** The position on the main branch that a browser was built from, as its executable says. Throws when it doesn't. */
export function mainPosition(executable: Buffer): string {
  const at = executable.indexOf(POSITION_START);
  const [, position] = /^\{#(\d+)\}/.exec(executable.toString("latin1", at + POSITION_START.length, at + 40)) ?? [];
  if (at < 0 || position === undefined)
    throw new Error("The browser doesn't say which position of main it was built from.");
  return position;
}

const POSITION_START = "-refs/heads/main@";

/**
 * The date of a position: that of the last `devtools-protocol` of an earlier or the same one, as the versions of that package are
 * such positions, published on most days. `times` are its dates of publication by version. Throws for a position before all.
 */
export function dateOfPosition(position: string, times: Readonly<Record<string, string>>): string {
  const published = Object.entries(times).flatMap(([version, time]) => {
    const [, at] = /^0\.0\.(\d+)$/.exec(version) ?? [];
    return at !== undefined && Number(at) <= Number(position) ? [time.slice(0, 10)] : [];
  });
  const last = published.toSorted().at(-1);
  if (last === undefined) throw new Error(`No version of devtools-protocol is as old as position ${position}.`);
  return last;
}
