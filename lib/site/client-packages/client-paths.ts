// The paths at which the website serves the packages of the clients, which have the version of the service.
import manifest from "../../../clients/typescript/package.json" with { type: "json" };

/** `npm install` takes any address. */
export const TARBALL_PATH = "/client.tgz";

/** `pip install` reads the name and the version of a package from the name of its file, so this path changes with each version. */
export const WHEEL_PATH = `/${wheelName(manifest.version)}`;

/** The Composer repository: `composer require` reads its `packages.json`. */
export const COMPOSER_PATH = "/php";

/** The source of gems: `gem install --source` reads its index. */
export const GEMS_PATH = "/ruby";

/** Under `.internal`, which ICANN has reserved, so that no one else can have the module. */
export const GO_MODULE = "screencapture.internal/client";

/** The module proxy for `go get`. */
export const GO_PROXY_PATH = "/go";

/** The sources of the Java client. */
export const JAVA_SOURCES_PATH = "/screen-capture-client-java.tgz";

/** What `npm run client` names the tarball: as `npm pack` does. */
export const TARBALL_NAME = `${manifest.name}-${manifest.version}.tgz`;

/** The file name of the wheel of a version, as the binary distribution format of Python demands: `1.2.0-rc.1` becomes `1.2.0rc1`. */
export function wheelName(version: string): string {
  const normalized = version.replace(/-(a|b|rc)(?:lpha|eta)?\.(\d+)$/, "$1$2"); // PEP 440, section "Normalization"
  if (!/^\d+\.\d+\.\d+((a|b|rc)\d+)?$/.test(normalized)) throw new Error(`Python has no version like ${version}.`);
  return `screen_capture_client-${normalized}-py3-none-any.whl`;
}

/** Where the Composer repository has the package of a version. */
export function composerZipPath(version: string): string {
  return `${COMPOSER_PATH}/screen-capture-client-php-${version}.zip`;
}

/** The name of the gem of a version with it, without `.gem`. */
export function gemName(version: string): string {
  return `screen_capture_client-${gemVersion(version)}`;
}

/** RubyGems takes a version with a letter for one before a release, and has no hyphens in them: `1.2.0-rc.1` becomes `1.2.0.rc.1`. */
export function gemVersion(version: string): string {
  return version.replace("-", ".");
}
