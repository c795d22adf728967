// The folder of the pictures of the website and of the documentation.
import { join, resolve } from "node:path";

export const picturesFolder = join(resolve(import.meta.dirname, "../../.."), "lib/site/web/pictures");
