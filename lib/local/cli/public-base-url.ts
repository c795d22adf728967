// The address that links of the service on this machine begin with.
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
 * The address of a server by what it listens on. One that listens on all interfaces is named by the first address that
 * this machine has on a network, because other machines cannot use a loopback address.
 */
export function listeningAddress(
  host: string,
  port: number,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string {
  const named = host === "0.0.0.0" || host === "::" ? networkAddress(interfaces) : host;
  return `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
}

function networkAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string {
  const addresses = Object.values(interfaces).flatMap((each) => each ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? LOOPBACK;
}
