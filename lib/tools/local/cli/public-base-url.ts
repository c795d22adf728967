// The public base URL of the local service, with which its links begin.
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { LocalServiceError } from "../local-service-error.ts";
import { LOOPBACK } from "../loopback.ts";

/** The setting PUBLIC_BASE_URL without a trailing slash; undefined when it is empty. Throws `LocalServiceError`. */
export function parsePublicBaseUrl(setting: string): string | undefined {
  if (setting === "") return undefined;
  const url = URL.canParse(setting) ? new URL(setting) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new LocalServiceError(
      `PUBLIC_BASE_URL must be an http or https address without a query, such as https://captures.example.com, not '${setting}'.`,
    );
  }
  return url.href.replace(/\/$/, "");
}

/**
 * The URL of a server that listens on `host` and `port`. For all interfaces it is this machine's first network address,
 * because other machines cannot use a loopback address.
 */
export function listeningAddress(
  host: string,
  port: number,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string {
  const hostname = host === "0.0.0.0" || host === "::" ? networkAddress(interfaces) : host;
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

function networkAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string {
  const addresses = Object.values(interfaces).flatMap((each) => each ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? LOOPBACK;
}
