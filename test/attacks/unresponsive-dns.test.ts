// A page with many host names that never resolve: the next capture of the process isn't held up.
import { lookup } from "node:dns/promises";
import { expect, test } from "vitest";
import { startSite } from "../fixtures/site.ts";
import { captureWith } from "../support/chromium.ts";
import { closing } from "../support/closing.ts";
import { startNameServer } from "../support/name-server.ts";

test("a page with 100 names whose servers are silent holds up no later capture and no other look-up", async () => {
  const site = closing(await startSite());
  const { port } = new URL(site.origin);
  const server = closing(await startNameServer({ "good.test": ["127.0.0.1"] }));
  const settings = { allow: [site.hostPort], nameServers: [server.hostPort] };
  const images = Array.from({ length: 100 }, (_, index) => `<img src="http://silent-${index}.test/">`).join("");

  const hostile = captureWith({ html: images, timeout: 5, wait_until: "load" }, settings).catch(({ code }) => code);
  await server.askedFor(10);
  await captureWith({ url: `http://good.test:${port}/box`, timeout: 10 }, settings);
  expect((await lookup("localhost")).address).toMatch(/^(127\.0\.0\.1|::1)$/);
  expect(server.names()).toContain("good.test");
  expect(server.names().length).toBeLessThan(101);
  await hostile;
});
