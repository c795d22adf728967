// The paths of the website, which are files, and the addresses that people try for them.
import {
  COMPOSER_PATH,
  GEMS_PATH,
  GO_PROXY_PATH,
  JAVA_SOURCES_PATH,
  TARBALL_PATH,
  WHEEL_PATH,
} from "./client-packages/client-paths.ts";

/** Where a common address of other websites leads here. */
export const commonPaths: Readonly<Record<string, string>> = {
  "/login": "/app/sign-in",
  "/signin": "/app/sign-in",
  "/signup": "/app/sign-in",
  "/sign-up": "/app/sign-in",
  "/register": "/app/sign-in",
  "/dashboard": "/app",
  "/account": "/app/account",
  "/billing": "/app/billing",
  "/api-keys": "/app/keys",
  "/keys": "/app/keys",
  "/plans": "/pricing",
  "/price": "/pricing",
  "/prices": "/pricing",
  "/documentation": "/docs",
  "/guides": "/docs",
  "/api": "/docs/reference/api",
  "/api-reference": "/docs/reference/api",
  "/reference": "/docs/reference/api",
  "/changelog": "/docs/changelog",
  "/errors": "/docs/errors",
  "/demo": "/playground",
  "/try": "/playground",
  "/docs.md": "/docs/index.md",
  "/client.whl": WHEEL_PATH, // for downloads: pip refuses this name
};

export const sitePaths = [
  "/",
  "/docs",
  "/docs/{path+}",
  "/playground",
  "/pricing",
  "/app",
  "/app/{path+}",
  "/assets/{path+}",
  "/favicon.ico",
  "/openapi.json",
  TARBALL_PATH,
  WHEEL_PATH,
  "/index.md",
  "/pricing.md",
  `${COMPOSER_PATH}/{path+}`,
  `${GEMS_PATH}/{path+}`,
  `${GO_PROXY_PATH}/{path+}`,
  JAVA_SOURCES_PATH,
  "/llms.txt",
  "/llms-full.txt",
  "/robots.txt",
  "/sitemap.xml",
];

/** The operator's page, where the service has operators. Elsewhere its paths are like any that doesn't exist. */
export const operatorPaths = ["/operator", "/operator/{screen+}"];

/** Pages whose Markdown isn't at their address with the suffix `.md`. */
const markdownPaths: Readonly<Record<string, string>> = { "/": "/index.md", "/docs": "/docs/index.md" };

/** Where the Markdown of a page is, if it has some. */
export const markdownPath = (path: string): string => markdownPaths[path] ?? `${path}.md`;
