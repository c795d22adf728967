// GET /, /docs, /playground, /assets, and the files for programs: the website. Needs no key.
import { join } from "node:path";
import { environment } from "../lib/platform/environment.ts";
import { openSite } from "../lib/site/serve-site.ts";
import { siteHandler } from "../lib/site/site-handler.ts";

const { BASE_URL } = environment("BASE_URL");

export const handler = siteHandler(openSite({ folder: join(import.meta.dirname, "site"), baseUrl: BASE_URL }));
