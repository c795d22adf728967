// The hosts file of the machine, hosts(5): names with addresses that no DNS server is queried.
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

interface HostsFile {
  readonly path: string;
  readonly version: string;
  readonly addresses: ReadonlyMap<string, readonly string[]>;
}

let newest: HostsFile | undefined;

/** Addresses of a name, without a dot at its end, in the hosts file; none when there is no file. */
export function hostsFileAddresses(name: string, path: string): readonly string[] {
  const version = versionOf(path);
  // Read again only after a change: a list of blocked hosts has megabytes.
  if (newest?.path !== path || newest.version !== version) {
    newest = { path, version, addresses: version === "" ? new Map() : parseHosts(readFileSync(path, "utf8")) };
  }
  return newest.addresses.get(name.toLowerCase()) ?? [];
}

/** Changes with the file; empty when there is none. */
function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : "";
}

/** A name may have several lines; lines without an address are ignored. */
function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, "");
      addresses.set(key, [...(addresses.get(key) ?? []), address]);
    }
  }
  return addresses;
}
