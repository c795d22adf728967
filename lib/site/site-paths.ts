// The paths of the website, which are files, and the addresses that people try for them.

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
  "/llms.txt",
  "/llms-full.txt",
  "/robots.txt",
  "/sitemap.xml",
];
