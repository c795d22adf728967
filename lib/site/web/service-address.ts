// Where the service is, as the page says it.

const { basePath = "", baseUrl = "" } = document.documentElement.dataset;

/** The public address of the service without a trailing slash, for samples of code. */
export const publicBaseUrl = baseUrl;

/** The address for requests of this page. It has the page's own origin, which can differ from the public one. */
export const apiBaseUrl = `${location.origin}${basePath}`;

/** A URL of the service at the page's own origin, which a browser sends the session to. */
export function localAddress(url: string): string {
  return url.startsWith(publicBaseUrl) ? `${apiBaseUrl}${url.slice(publicBaseUrl.length)}` : url;
}
