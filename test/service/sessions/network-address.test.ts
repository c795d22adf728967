// By which network limits count.
import { expect, test } from "vitest";
import { limitedNetwork, siteNetwork } from "../../../lib/service/sessions/network-address.ts";

test.each([
  ["203.0.113.7", "203.0.113.7", undefined],
  ["::ffff:203.0.113.7", "203.0.113.7", undefined],
  ["2001:db8:1:2:3::4", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8:1:ffff::1", "2001:db8:1:ffff::/64", "2001:db8:1::/48"],
  ["no address", "unknown", undefined],
])("network: %s is limited with %s, and with the site %s", (address, network, site) => {
  expect([limitedNetwork(address), siteNetwork(address)]).toEqual([network, site]);
});
