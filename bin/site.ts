// Builds the website into a folder: the bundler of the web function runs it, and `npm run build:web` for a look at the files.
import { resolve } from "node:path";
import { buildSite } from "../lib/site/build-site.ts";

const [folder = "lib/site/web/dist"] = process.argv.slice(2);
await buildSite(resolve(folder));
