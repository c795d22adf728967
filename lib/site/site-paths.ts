// The paths of the website, which are files.
export const sitePaths = [
  "/",
  "/docs",
  "/docs/{path+}",
  "/playground",
  "/app",
  "/app/{path+}",
  "/assets/{path+}",
  "/openapi.json",
  "/llms.txt",
  "/llms-full.txt",
  "/robots.txt",
  "/sitemap.xml",
];
