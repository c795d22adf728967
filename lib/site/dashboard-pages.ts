// The documents of the dashboard: one for each screen, which shows its frame and outlines before the script has run, and one to sign in.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type { BrowserAssets } from "./browser-assets.ts";
import { type Html, html, rawHtml } from "./html.ts";
import type { PageContent } from "./layout.ts";
import { BASE_PATH, BASE_URL, bySetting, bySignUp, DASHBOARD_PATH, SIGN_IN_PATH } from "./site-files.ts";

/** What `web/app/documents.tsx` exports. */
interface Documents {
  readonly screenDocuments: () => readonly {
    readonly path: string;
    readonly title: string;
    readonly entry: string;
    readonly html: string;
  }[];
  readonly signInDocument: (open: { readonly email: boolean; readonly sign_up: boolean }) => string;
}

/** Pages of visitors that are reached by links of mails, or once: their scripts show them. */
const visitorPages = {
  "undo-address": "Undo the change of your address",
  "not-me": "A sign-in that was not you",
  deleted: "The account was deleted",
};

export async function dashboardPages({ dashboard }: BrowserAssets): Promise<PageContent[]> {
  const { screenDocuments, signInDocument } = await loadDocuments();
  const scripts = [...dashboard.values()].map(({ script }) => script).join(" ");
  const page = (path: string, title: string, entry: string, content: Html): PageContent => ({
    path,
    isForCustomers: entry !== "visitor",
    title,
    description: "API keys, captures, usage, and invoices of an account.",
    kind: "app",
    ...dashboard.get(entry),
    main: html`<div id="app" data-root="${BASE_PATH}${DASHBOARD_PATH}" data-mail="${mail}" data-sign-up="${signUp}" data-scripts="${scripts}">${content}</div>
<noscript><p>The dashboard needs JavaScript. The <a href="${BASE_PATH}/docs">documentation</a> doesn’t.</p></noscript>`,
  });
  const signIn = (email: boolean, sign_up: boolean) => rawHtml(signInDocument({ email, sign_up }));
  const form = bySetting("mail", {
    on: bySignUp({ open: signIn(true, true), closed: signIn(true, false) }),
    off: signIn(false, false),
  });
  return [
    ...screenDocuments().map(({ path, title, entry, html: text }) =>
      page(path === "" ? DASHBOARD_PATH : `${DASHBOARD_PATH}/${path}`, title, entry, rawHtml(text)),
    ),
    page(SIGN_IN_PATH, "Sign in", "visitor", form),
    ...Object.entries(visitorPages).map(([path, title]) =>
      page(`${DASHBOARD_PATH}/${path}`, title, "visitor", html`<h1 class="visually-hidden">${title}</h1>`),
    ),
  ];
}

const mail = bySetting("mail", { on: html`on`, off: html`off` });
const signUp = bySignUp({ open: html`open`, closed: html`closed` });

/** Bundles the components for this process, and imports them. */
async function loadDocuments(): Promise<Documents> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "web/app/documents.tsx")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
    plugins: [placeholderAddresses],
  });
  const folder = await mkdtemp(join(tmpdir(), "dashboard-documents-"));
  try {
    const file = join(folder, "documents.mjs");
    await writeFile(file, outputFiles[0]?.contents ?? "");
    return await import(pathToFileURL(file).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Addresses are not known before the page is served. */
const placeholderAddresses: Plugin = {
  name: "placeholder-addresses",
  setup({ onLoad }) {
    onLoad({ filter: /web\/service-address\.ts$/ }, () => ({
      contents: `
export const publicBaseUrl = ${JSON.stringify(BASE_URL)};
export const apiBaseUrl = ${JSON.stringify(BASE_PATH)};
export const screensPath = ${JSON.stringify(BASE_PATH + DASHBOARD_PATH)};
export const supportAddress = "";
export const signInMethods = { email: false, sign_up: false };
export const localAddress = (url) => url;`,
    }));
  },
};
