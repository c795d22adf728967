// Configures fontconfig for the fonts layer, so that the font cache built with the layer is valid everywhere.
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder for which the cache was built, wherever the fonts are. */
const CACHED_AS = "/opt/fonts/files";

/**
 * Writes the fontconfig configuration for the fonts at `fonts` into the folder `target` and returns its path.
 *
 * A font cache is valid for a folder with the same name and modification time. Lambda sets that time when it unpacks
 * the layer, and elsewhere the layer has another path. So this makes a folder of symbolic links with a fixed time, and
 * maps it to the name in the cache. Without a valid cache the first launch would read all fonts.
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
