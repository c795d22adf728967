// Load condition auto: which unpainted pages are given time to paint.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { evaluateInIsolatedWorld } from "../../../lib/engine/page/isolated-world.ts";
import { canShowMoreInPage, waitForLoad } from "../../../lib/engine/page/load-conditions.ts";
import { type OpenPage, openPage } from "../../support/open-page.ts";

const page = (body: string, head = "") => `<!doctype html><html><head>${head}</head>${body}</html>`;

let opened: OpenPage;
beforeAll(async () => {
  opened = await openPage(page("<body><script>void 0</script>"));
});
afterAll(() => opened[Symbol.asyncDispose]());

/** Shows another document in the same window. */
async function write(html: string): Promise<void> {
  const frameTree = await opened.capturing.session.cdp.send("Page.getFrameTree");
  await opened.capturing.session.cdp.send("Page.setDocumentContent", { frameId: frameTree.frameTree.frame.id, html });
}

test("wait_until=auto: an empty page whose script has no output is not awaited", async () => {
  const { capturing } = opened;
  const until = vi.spyOn(capturing.activity, "until");
  await waitForLoad(capturing);
  // A wait that ran out lasted as long as it might; that the network stays calm is all that may be seen out.
  const waits = await Promise.all(until.mock.results.map(async ({ value }, index) => ({ held: await value, index })));
  const ranOut = waits.filter(({ held }) => !held).map(({ index }) => until.mock.calls[index]?.[1] ?? 0);
  expect(Math.max(0, ...ranOut)).toBeLessThanOrEqual(100);
  until.mockRestore();
});

describe("wait_until=auto: an empty page can show no more", () => {
  test.each([
    ["after a script that sets a variable", "<body><script>window.a = { b: 1 }</script>"],
    ["after a script that logs", "<body><script>console.log('x', document.title, [1, 2])</script>"],
    ["in whose body there is what is not rendered", "<body><template><p>x</template><noscript>x</noscript>"],
  ])("%s", async (_, body) => {
    await write(page(body));
    expect(await evaluateInIsolatedWorld(opened.capturing, canShowMoreInPage)).toBe(false);
  });
});

describe("wait_until=auto: an empty page may show more", () => {
  test.each([
    ["after a timer", "<script>setTimeout(() => {}, 5000)</script>"],
    ["after a timer by another name", "<script>window['set' + 'Timeout'](() => {}, 5000)</script>"],
    ["after a request", "<script>fetch('/never')</script>"],
    ["after an event", "<script>onmessage = () => {}</script>"],
    ["after a promise", "<script>(async () => {})()</script>"],
    ["by a script from elsewhere", "<script src='/app.js'></script>"],
    ["by a module", "<script type=module></script>"],
    ["by an attribute", "<body onload='1'>"],
    ["in an element that a script may fill", "<div id=root></div>"],
  ])("%s", async (_, body) => {
    await write(page(body));
    expect(await evaluateInIsolatedWorld(opened.capturing, canShowMoreInPage)).toBe(true);
  });
});
