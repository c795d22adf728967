// Completes a page of the website with what only a running service knows: its settings, and its address.
import { withIdentity } from "./identity-parts.ts";
import { BASE_PATH, BASE_URL, type SiteSettings, withSettings } from "./site-files.ts";

export interface PageContext extends Omit<SiteSettings, "operators"> {
  /** Media type of the page. */
  readonly type: string;
  /** Public address of the service without a trailing slash. */
  readonly baseUrl: string;
}

/** The page with the parts of the settings, and with addresses in place of the placeholders. */
export function completePage(page: string, { type, baseUrl, ...settings }: PageContext): string {
  const escaped = type.startsWith("text/html") ? escapeAttribute : (text: string) => text;
  const text = withSettings(page, settings)
    .replaceAll(BASE_PATH, () => escaped(basePathOf(baseUrl)))
    .replaceAll(BASE_URL, () => escaped(baseUrl));
  return withIdentity(text, settings.identity);
}

/** The path of the base URL: empty, or such as `/live`. */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, "");

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
