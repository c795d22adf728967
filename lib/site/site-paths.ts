// The paths of the website, which are files.
import { TARBALL_PATH, WHEEL_ALIAS_PATH, WHEEL_PATH } from "./client-packages/client-paths.ts";

export const sitePaths = [
  "/",
  "/docs",
  "/docs/{path+}",
  "/playground",
  "/app",
  "/app/{path+}",
  "/assets/{path+}",
  "/openapi.json",
  TARBALL_PATH,
  WHEEL_PATH,
  WHEEL_ALIAS_PATH,
  "/llms.txt",
  "/llms-full.txt",
  "/robots.txt",
  "/sitemap.xml",
];
