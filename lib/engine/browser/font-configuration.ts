// fontconfig's configuration for the fonts layer, arranged so that the cache made with the layer is valid anywhere.
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder that the cache is made for, wherever the fonts are. */
const CACHED_AS = "/opt/fonts/files";

/**
 * Makes the fonts of the layer at `fonts` known to a Chromium whose own files are at `target`; returns the path of the
 * configuration.
 *
 * A cache holds for a folder of the same name and the same time of change. Lambda sets that time when it unpacks the
 * layer, and elsewhere the layer has another name: so the folder is made here, of links to the files, with a time that
 * is always the same, and is called by the name that the cache knows. Without a valid cache the first launch would read
 * all fonts.
 */
export function configureFonts(fonts: string, target: string): string {
  const links = join(target, "fonts");
  const configuration = join(target, "fonts.conf");
  mkdirSync(links);
  for (const file of readdirSync(join(fonts, "files"))) symlinkSync(join(fonts, "files", file), join(links, file));
  utimesSync(links, 1, 1);
  writeFileSync(
    configuration,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <remap-dir as-path="${CACHED_AS}">${links}</remap-dir>
  <cachedir>${join(target, "fonts-cache")}</cachedir>
  <cachedir>${join(fonts, "cache")}</cachedir>
  <include>${join(fonts, "rules.conf")}</include>
</fontconfig>
`,
  );
  return configuration;
}
