// The headers that keep pages of the website safe.

/** Sources that a page allows in addition to its own origin, such as the hash of an inline script. */
export interface InlineSources {
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
}

/**
 * The policy of a page: no inline script or style runs but those that are named, nothing frames the page, and only this origin is loaded and
 * called. `blob:` shows captures in the playground.
 */
export function pagePolicy({ scripts = [], styles = [] }: InlineSources = {}): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(" "),
    ["style-src 'self'", ...styles].join(" "),
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The policy of a file, which is no page: opened as one, it runs nothing. */
export const FILE_POLICY = "sandbox; default-src 'none'";

/** The other headers of pages. */
export const pageProtection = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
} as const;
