// The name and the icon of the service: a viewfinder, four corners around a dot.

export const SITE_NAME = "Screen Capture API";

/** The icon of a browser's tab. */
export const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#191815"/>' +
  '<path d="M8 13V8h5M19 8h5v5M24 19v5h-5M13 24H8v-5" fill="none" stroke="#fbfaf7" stroke-width="2.5"/>' +
  '<circle cx="16" cy="16" r="3.2" fill="#ff6a45"/></svg>';
