// Real web sites from npm packages, served from loopback: templates with images, fonts, scripts and menus.
import { join } from "node:path";
import { startFolderSite } from "../fixtures/folder-site.ts";
import type { Site } from "../fixtures/site.ts";

/** Folder of each package's site, below `node_modules`. */
export const packagedFolders = {
  "startbootstrap-agency": "startbootstrap-agency/dist",
  "startbootstrap-sb-admin-2": "startbootstrap-sb-admin-2",
} as const;

export type PackagedSiteName = keyof typeof packagedFolders;

/**
 * Serves the files of a packaged site from a free port of 127.0.0.1; `/` is its `index.html`. What its pages want from
 * other hosts is not there.
 */
export function startPackagedSite(packageName: PackagedSiteName): Promise<Site> {
  return startFolderSite(join(import.meta.dirname, "../node_modules", packagedFolders[packageName]));
}
