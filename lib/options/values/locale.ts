// Which languages and time zones a capture can take on.

/** The longest names there are have about 35 characters; a name beyond this is refused unread. */
const MAX_NAME_CHARACTERS = 64;

/**
 * A language tag (BCP 47) in its usual spelling, as pages read it in `navigator.language`: `de_at` is `de-AT`. Extensions
 * are dropped, since no page is told of them. Undefined for what names no language.
 */
export function canonicalLocale(tag: string): string | undefined {
  if (tag.length > MAX_NAME_CHARACTERS) return undefined;
  try {
    const { baseName } = new Intl.Locale(tag.replaceAll("_", "-"));
    return /^und\b/.test(baseName) ? undefined : baseName;
  } catch {
    return undefined;
  }
}

/**
 * A time zone in the spelling that Chromium takes. It refuses names in another case than their own (`europe/berlin`)
 * and ignores offsets unless they say of what (`+05:30`). Undefined for what is no zone.
 */
export function canonicalTimeZone(name: string): string | undefined {
  if (name.length > MAX_NAME_CHARACTERS) return undefined;
  try {
    const zone = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    return /^[+-]/.test(zone) ? `GMT${zone}` : zone;
  } catch {
    return undefined;
  }
}

export function isTimeZone(name: string): boolean {
  return canonicalTimeZone(name) !== undefined;
}
