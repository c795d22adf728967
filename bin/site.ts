// Builds the website into the folder that is the argument. Without one, `npm run build:web` builds it for a look at its files.

import { publishFolder } from "../lib/build/publish-folder.ts";
import { buildSite } from "../lib/site/build-site.ts";
import { builtSite } from "../lib/site/site-artifact.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) console.log(`The website is in ${builtSite()}.`);
else await publishFolder(folder, buildSite);
