// Where the service is, as the page says it, and what else the page knows of it. The build replaces this module where it renders pages
// before their address is known: `dashboard-shell.ts`.

const { basePath = "", baseUrl = "", support = "" } = document.documentElement.dataset;
const { root = "", mail = "", signUp = "" } = document.getElementById("app")?.dataset ?? {};

/** The public address of the service without a trailing slash, for samples of code. */
export const publicBaseUrl = baseUrl;

/** The address for requests of this page. It has the page's own origin, which can differ from the public one. */
export const apiBaseUrl = `${location.origin}${basePath}`;

/** The path of the first screen of this page, such as `/app`, below which are the others. */
export const screensPath = root;

/** Where customers reach the operator; empty where no support is set. */
export const supportAddress = support;

/** How visitors can sign in, as far as the page was served with it. */
export const signInMethods = { email: mail === "on", sign_up: signUp === "open" };

/** A URL of the service at the page's own origin, which a browser sends the session to. */
export function localAddress(url: string): string {
  return url.startsWith(publicBaseUrl) ? `${apiBaseUrl}${url.slice(publicBaseUrl.length)}` : url;
}
