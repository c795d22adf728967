// Validates and canonicalizes language tags and time zones.

/** The longest valid names have about 35 characters. Longer ones are rejected without being parsed. */
const MAX_NAME_CHARACTERS = 64;

/**
 * A language tag (BCP 47) in its usual spelling, as pages read it in `navigator.language`: `de_at` is `de-AT`. Extensions
 * are dropped, since no page can see them. Undefined for an invalid tag.
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
 * A time zone in the spelling that Chromium accepts: it rejects names in the wrong case (`europe/berlin`) and ignores
 * offsets without `GMT` (`+05:30`). Undefined for an invalid zone.
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
