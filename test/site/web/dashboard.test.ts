// The dashboard in a real browser against the running service, as its owner uses it.

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import type { Page } from "puppeteer-core";
import { describe, expect, inject, test } from "vitest";
import { setLimits } from "../../../lib/service/account/set-limits.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { openClient } from "../../support/client.ts";
import { fill, openScreen, press, screenPaths, show, storeExamples, textOf } from "../../support/dashboard-screens.ts";
import { codeTo, mailsTo } from "../../support/mailbox.ts";
import { observeLayoutShift, ordinaryViews, transferSizes, viewProblems } from "../../support/page-views.ts";
import { recordPastCaptures } from "../../support/past-captures.ts";
import { linkToken, ownPage, signIn } from "../../support/signed-in.ts";
import { slowTest } from "../../support/slow-run.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl, site, accountsTable } = inject("service");
const browser = webBrowser();

type Client = Awaited<ReturnType<typeof openClient>>;

/** Problems other than requests of a screen that was left before they were answered. */
const withoutAborted = (problems: readonly string[]) =>
  problems.filter((problem) => !problem.endsWith("net::ERR_ABORTED"));

/** Opens the dashboard with a session: `sign-in.test.ts` shows how a browser gets one. */
const openSignedIn = ({ accountId }: Client) => openScreen(browser, accountId);

describe.concurrent("dashboard", () => {
  test("asks a visitor to sign in, also at the address of a screen", async () => {
    await using opened = await browser.open(`${baseUrl}/app/keys`);
    await opened.page.waitForSelector("#sign-in-key");
    expect(new URL(opened.page.url()).pathname).toMatch(/\/app\/sign-in$/);
    expect(await accessibilityProblems(opened.page)).toEqual([]);
  });

  test("signs a new customer up by e-mail, with no step done yet", async () => {
    const email = `ann-${randomUUID().slice(0, 8)}@customer.example`;
    await using opened = await browser.open(`${baseUrl}/app`);
    const { page } = opened;
    await fill(page, "#sign-in-email", email);
    await press(page, "Send a code");
    await fill(page, "#sign-in-code", await codeTo(email));
    await page.waitForSelector(".first-steps");
    expect(await page.$(".first-steps .is-done")).toBeNull();
    await show(page, "API keys"); // the first key takes a press of one button
    await press(page, "Create key");
    await page.waitForSelector(".key-card h3");
    expect(await textOf(page, ".key-card h3")).toBe("First key");
  });

  slowTest("signs in by an API key, which the browser does not keep, and out again", async () => {
    const { key } = await openClient();
    await using opened = await browser.open(`${baseUrl}/app/sign-in`);
    const { page } = opened;
    await fill(page, "#sign-in-key", "cap_wrong");
    await press(page, "Sign in");
    await page.waitForSelector(".notice");
    await fill(page, "#sign-in-key", key);
    await press(page, "Sign in");
    await page.waitForSelector(".app-navigation");
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).not.toContain(key);
    expect(stored).not.toContain("ses_");
    await press(page, "Sign out");
    await page.waitForSelector("#sign-in-key");
    await page.goto(`${baseUrl}/app`);
    await page.waitForSelector("#sign-in-key");
  });

  test("creates a key whose secrets are shown once, renames it, rotates it, and revokes it", async () => {
    await using opened = await openSignedIn(await openClient());
    const { page, problems } = opened;
    await show(page, "API keys");
    await press(page, "New key");
    await page.waitForFunction(() => document.activeElement?.id === "key-label");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.textContent === "New key");
    await press(page, "New key");
    await fill(page, "#key-label", "Website <b>");
    await press(page, "Create key");
    await page.waitForSelector(".issued");
    const issued = await textOf(page, ".issued");
    const key = /cap_[0-9A-Za-z]{46}/.exec(issued)?.[0] ?? "";
    expect(issued).toContain(`SCREEN_CAPTURE_KEY=${key}`);
    const answer = (sent: string) =>
      fetch(`${baseUrl}/api/v1/account`, { headers: { Authorization: `Bearer ${sent}` } });
    expect((await answer(key)).status).toBe(200);
    await expect.poll(() => textOf(page, ".key-card h3")).toBe("Website <b>"); // the list is read again
    expect(await accessibilityProblems(page)).toEqual([]);

    await press(page, "Rename");
    await page.waitForSelector(".key-question input");
    await fill(page, ".key-question input", "Shop");
    await press(page, "Save");
    await page.waitForFunction(() => document.querySelector(".key-card h3")?.textContent === "Shop");

    await press(page, "Rotate");
    await press(page, "Rotate “Shop”");
    await page.waitForFunction((old) => !document.querySelector(".issued")?.textContent?.includes(old), {}, key);
    const rotated = /cap_[0-9A-Za-z]{46}/.exec(await textOf(page, ".issued"))?.[0] ?? "";
    expect([(await answer(key)).status, (await answer(rotated)).status]).toEqual([401, 200]);

    await press(page, "Revoke");
    await press(page, "Revoke “Shop”");
    await page.waitForFunction(() => document.querySelector(".key-card h3")?.textContent !== "Shop");
    expect((await answer(rotated)).status).toBe(401);
    expect(await page.$(".issued")).toBeNull(); // the secrets of the revoked key
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      "“Shop” is revoked: it works no longer.",
    );
    expect(withoutAborted(problems)).toEqual([]);
  });

  slowTest("rotates a key with an overlap, which it shows, and ends the old text at once", async () => {
    await using opened = await openSignedIn(await openClient());
    const { page, problems } = opened;
    await show(page, "API keys");
    await press(page, "New key");
    await fill(page, "#key-label", "Website");
    await press(page, "Create key");
    await page.waitForFunction(() => document.querySelector(".key-card h3")?.textContent === "Website");
    const keyShown = async () => /cap_[0-9A-Za-z]{46}/.exec(await textOf(page, ".issued"))?.[0] ?? "";
    const old = await keyShown();
    const status = async (key: string) =>
      (await fetch(`${baseUrl}/api/v1/account`, { headers: { Authorization: `Bearer ${key}` } })).status;

    await press(page, "Rotate");
    await page.select(".key-question select", "86400");
    await press(page, "Rotate “Website”");
    await page.waitForSelector(".key-previous");
    expect(await textOf(page, ".key-previous")).toContain(`The old text ${old.slice(0, 12)}… works until `);
    expect([await status(old), await status(await keyShown())]).toEqual([200, 200]);
    expect(await accessibilityProblems(page)).toEqual([]);

    await press(page, "End old text");
    await press(page, "End the old text now");
    await page.waitForFunction(() => document.querySelector(".key-previous") === null);
    expect([await status(old), await status(await keyShown())]).toEqual([401, 200]);
    expect(withoutAborted(problems)).toEqual([]);
  });

  slowTest(
    "limits a key, shows that the limit is reached, and has a sample that runs with the key in the environment",
    async () => {
      const client = await openClient();
      await using opened = await openSignedIn(client);
      const { page, problems } = opened;
      await show(page, "API keys");
      await press(page, "New key");
      await fill(page, "#key-label", "Website");
      await page.click(".new-key summary");
      await fill(page, "#key-limit", "5");
      await press(page, "Create key");
      await page.waitForSelector(".key-card .meter");
      expect(await textOf(page, ".key-card .meter")).toMatch(/Captures in this billing period\s*0 of 5/);
      const { data } = await (await client.get("/api/v1/keys")).json();
      await recordPastCaptures({ ...client, keyId: data.at(-1).id }, { count: 4 });

      await press(page, "Limit");
      await fill(page, ".key-question input", "4");
      await press(page, "Save");
      await page.waitForSelector(".key-limit-reached");
      expect(await textOf(page, ".key-card .meter")).toContain("4 of 4");
      expect(await textOf(page, ".key-limit-reached")).toContain("The limit is reached");
      await press(page, "Limit");
      await fill(page, ".key-question input", "");
      await press(page, "Save");
      await page.waitForFunction(() => document.querySelector(".key-card .meter") === null);
      expect(await textOf(page, ".facts")).toContain("4 captures, no limit");

      const key = /cap_[0-9A-Za-z]{46}/.exec(await textOf(page, ".issued"))?.[0] ?? "";
      await page.click(".key-sample summary");
      const command = (await textOf(page, ".key-sample code"))
        .replace("https://example.com", `${site}/box`)
        .replace("-o example.png", "-s -o /dev/null -w '%{http_code}'");
      const env = { ...process.env, SCREEN_CAPTURE_KEY: key };
      expect((await promisify(execFile)("sh", ["-c", command], { env })).stdout).toBe("200");
      expect(withoutAborted(problems)).toEqual([]);
    },
  );

  slowTest("leaves a key as it is by Escape and by Cancel, and gives the focus back to the button", async () => {
    await using opened = await openSignedIn(await openClient());
    const { page, problems } = opened;
    await show(page, "API keys");
    await page.waitForSelector(".key-card");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    for (const name of ["Rename", "Limit", "Rotate", "Revoke"]) {
      for (const leave of [() => page.keyboard.press("Escape"), () => press(page, "Cancel")]) {
        await press(page, name);
        await page.waitForFunction(() => document.activeElement?.closest(".key-question"));
        await leave();
        await page.waitForFunction(() => document.querySelector(".key-question") === null);
        expect([name, await focused()]).toEqual([name, name]);
      }
    }
    expect(withoutAborted(problems)).toEqual([]);
  });

  slowTest("creates a key for tests, which it marks in the list", async () => {
    const client = await openClient();
    await using opened = await openSignedIn(client);
    const { page, problems } = opened;
    await show(page, "API keys");
    await press(page, "New key");
    await fill(page, "#key-label", "CI");
    await page.click(".new-key summary");
    await page.click(".new-key fieldset label:last-child input"); // may manage keys, which a key for tests may not
    await page.click("#key-test");
    expect(await textOf(page, "#key-test-note")).toMatch(/free, at most 100 a day, with the word TEST across them/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, "Create key");
    await page.waitForSelector(".issued");
    expect(await textOf(page, ".issued")).toMatch(/SCREEN_CAPTURE_KEY=cap_test_[0-9A-Za-z]{46}/);
    await page.waitForSelector(".key-head .badge");
    expect(await textOf(page, ".key-head")).toMatch(/^CI\s*cap_test_\w+…\s*For tests$/);
    const { data } = await (await client.get("/api/v1/keys")).json();
    expect(data.at(-1)).toMatchObject({ label: "CI", test: true, scopes: ["capture", "usage"] });
    expect(withoutAborted(problems)).toEqual([]);
  });

  test("shows today's captures, the quota, the limits, the days, and the invoice of this period", async () => {
    const client = await openClient();
    const changes = { captures_per_day: { value: 500, until: null } };
    await setLimits(accountsTable, { accountId: client.accountId, changes, now: Date.now() });
    await client.capture({ html: "<h1>Hello", viewport_width: "200", viewport_height: "100" });
    await using opened = await openSignedIn(client);
    const { page, problems } = opened;
    await page.waitForSelector(".figure-card strong");
    expect(await textOf(page, ".figures")).toMatch(/Captures today \(UTC\)\s+1\s/);
    expect(await textOf(page, "main")).toContain(
      "The plan allows 150 requests a minute. The operator of the service allows 500 captures a day.",
    );
    await page.waitForSelector(".first-steps li:nth-child(2).is-done");
    expect(await accessibilityProblems(page)).toEqual([]);
    await show(page, "Usage");
    await page.waitForSelector(".bar-chart .bar-success");
    expect(await textOf(page, "tbody tr")).toMatch(/\s1\s+0\s/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await show(page, "Plan and invoices");
    await page.waitForSelector(".invoices table");
    expect(await textOf(page, ".invoices .total")).toMatch(/Total/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await show(page, "Account");
    await page.waitForSelector(".sessions li");
    expect(await textOf(page, ".sessions")).toContain("This browser");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(withoutAborted(problems)).toEqual([]);
  });

  slowTest("shows a new account its first steps, ticks them, and shows them no more once all are done", async () => {
    const client = await openClient();
    await using opened = await openSignedIn(client);
    const { page } = opened;
    await page.waitForSelector(".first-steps li:nth-child(1).is-done");
    expect(await page.$(".first-steps li:nth-child(2).is-done")).toBeNull();
    await client.capture({ html: "<h1>Hello", viewport_width: "200", viewport_height: "100" });
    await page.reload();
    await page.waitForSelector(".first-steps li:nth-child(2).is-done");
    await show(page, "Captures");
    await page.waitForSelector(".capture-source");
    await show(page, "Overview");
    await page.waitForSelector(".figure-card strong");
    expect(await page.$(".first-steps")).toBeNull();
  });

  slowTest(
    "searches captures by their address and format, which the address of the screen keeps, and exports them",
    async () => {
      const client = await openClient();
      const { site } = inject("service");
      await client.capture({ url: `${site}/box?n=1`, viewport_width: "100", viewport_height: "100", format: "webp" });
      await client.capture({ url: `${site}/box?n=2`, viewport_width: "100", viewport_height: "100" });
      await using opened = await openSignedIn(client);
      const { page } = opened;
      await page.goto(`${baseUrl}/app/captures?url=N%3D1&format=webp`);
      await page.waitForSelector(".capture");
      expect(await page.$$eval(".capture-source", (all) => all.map(({ textContent }) => textContent))).toEqual([
        `${site}/box?n=1`,
      ]);
      expect(await accessibilityProblems(page)).toEqual([]);
      const exported = await page.$eval(".list-head a", (link) => (link as HTMLAnchorElement).href);
      const csv = await page.evaluate(async (address) => (await fetch(address)).text(), exported);
      expect(csv.trim().split("\r\n")).toHaveLength(2);
    },
  );

  slowTest("shows the plan that was asked for, withdraws the request, and offers invoices as PDF", async () => {
    const client = await openClient({ plan: "starter" });
    await (await signIn(client.accountId)).request("PATCH", "/api/v1/account/settings", { requested_plan: "pro" });
    await using opened = await openSignedIn(client);
    const { page } = opened;
    await show(page, "Plan and invoices");
    await page.waitForFunction(() => document.body.innerText.includes("You asked the operator for the plan Pro."));
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, "Withdraw the request");
    await page.waitForFunction(() => !document.body.innerText.includes("You asked the operator"));
    const pdf = await page.$eval(".invoices a[download]", (link) => (link as HTMLAnchorElement).href);
    const type = await page.evaluate(async (address) => (await fetch(address)).headers.get("content-type"), pdf);
    expect(type).toBe("application/pdf");
  });

  slowTest(
    "renames the account, turns its alerts and its thumbnails off, and deletes it when its name is written",
    async () => {
      const client = await openClient();
      await using opened = await openSignedIn(client);
      const { page } = opened;
      await show(page, "Account");
      await fill(page, "#account-name", "Example <b>Ltd");
      await press(page, "Rename");
      await page.waitForFunction(() => document.querySelector(".app-account strong")?.textContent === "Example <b>Ltd");
      for (const name of ["quota-alerts", "store-thumbnails"]) {
        await page.click(`#${name}`);
        await page.waitForFunction(
          (id) => document.querySelector<HTMLInputElement>(`#${id}`)?.disabled === false,
          {},
          name,
        );
      }
      expect(await (await client.get("/api/v1/account/settings")).json()).toMatchObject({
        quota_alerts: false,
        store_thumbnails: false,
      });
      await press(page, "Export all data");
      await page.waitForSelector("a[href*='/storage/exports/']");
      const file = await page.$eval("a[href*='/storage/exports/']", (link) => (link as HTMLAnchorElement).href);
      const exported = gunzipSync(Buffer.from(await (await fetch(file)).arrayBuffer())).toString();
      expect(exported.split("\n")[0]).toContain('"label":"Example <b>Ltd"');
      await press(page, "Delete the account…");
      await fill(page, "#delete-name", "Example");
      expect(await page.$eval("button[type=submit].danger", (button) => (button as HTMLButtonElement).disabled)).toBe(
        true,
      );
      await fill(page, "#delete-name", "Example <b>Ltd");
      expect(await accessibilityProblems(page)).toEqual([]);
      await press(page, "Delete for good");
      await page.waitForFunction(() => document.body.innerText.includes("The account was deleted"));
      expect((await client.get("/api/v1/account")).status).toBe(401);
      await page.goto(`${baseUrl}/app`);
      await page.waitForSelector("#sign-in-key");
    },
  );

  slowTest("shows captures by format, host, and key, each of which leads to its captures", async () => {
    const client = await openClient();
    await client.capture({ html: "<h1>Hello", viewport_width: "200", viewport_height: "100", format: "webp" });
    await using opened = await openSignedIn(client);
    const { page } = opened;
    await show(page, "Usage");
    await page.waitForSelector(".breakdown a");
    expect(await textOf(page, ".breakdown")).toMatch(/webp\s+1\s+0/);
    await page.$eval(".breakdown a", (link) => (link as HTMLAnchorElement).click());
    await page.waitForSelector(".captures > li");
    expect(new URL(page.url()).searchParams.get("format")).toBe("webp");
  });

  test("shows what callers, pages, and browsers wrote as text", async () => {
    const client = await openClient();
    const { site } = inject("service");
    const attack = (name: string) => `<img src=x alt="${name}" onerror="document.title='${name}'">`;
    const owner = await signIn(client.accountId);
    await owner.request("PATCH", "/api/v1/account/settings", { label: attack("account") });
    await owner.request("POST", "/api/v1/keys", { label: attack("key") });
    await fetch(`${baseUrl}/session`, {
      method: "POST",
      headers: { ...ownPage, "Content-Type": "application/json", "User-Agent": attack("agent") },
      body: JSON.stringify({ token: await linkToken(client.accountId) }),
    });
    const url = `${site}/box?${encodeURIComponent(attack("address"))}`;
    await client.capture({ url, scripts: `throw new Error(${JSON.stringify(attack("error"))})` });
    await using opened = await openSignedIn(client);
    const { page, problems } = opened;
    const expectText = async (title: string, ...names: string[]) => {
      await show(page, title);
      await page.waitForFunction(
        (expected) =>
          expected.every((name) => document.querySelector<HTMLElement>("#app")?.innerText.includes(`alt="${name}"`)),
        {},
        names,
      );
      expect(await page.$$("#app img")).toEqual([]);
    };
    await expectText("API keys", "key");
    await expectText("Account", "account", "agent");
    await expectText("Plan and invoices", "account");
    await show(page, "Captures");
    await page.waitForSelector(".capture-reason");
    expect(await textOf(page, ".captures")).toContain("alt=");
    expect(await page.$$("#app img")).toEqual([]);
    await page.click(".capture-source");
    await page.waitForSelector(".capture-error");
    expect(await textOf(page, ".screen")).toContain("alt=");
    expect(await page.$$("#app img")).toEqual([]);
    await expectText("Overview", "error"); // its first steps are done by now
    expect(await page.title()).not.toMatch(/account|key|agent|error|address/);
    expect(withoutAborted(problems)).toEqual([]);
  });

  test("cannot be framed by another page (clickjacking)", async () => {
    await using opened = await openSignedIn(await openClient());
    const { page } = opened;
    await page.goto(`${inject("service").site}/box`);
    await page.evaluate((address) => {
      const frame = document.createElement("iframe");
      frame.src = address;
      document.body.append(frame);
      return new Promise((resolve) => frame.addEventListener("load", resolve));
    }, `${baseUrl}/app/keys`);
    const [, frame] = page.frames();
    expect(frame?.url()).toBe("chrome-error://chromewebdata/");
  });

  test("keeps its cookie from forms and scripts of another origin, also one of the same site", async () => {
    const client = await openClient();
    await using opened = await browser.open(`${baseUrl}/app/sign-in#token=${await linkToken(client.accountId)}`);
    const { page } = opened;
    await press(page, "Continue"); // the service itself sets the cookie
    await page.waitForSelector(".app-navigation");
    await page.goto(`${inject("service").site}/box`);
    const read = await page.evaluate(async (address) => {
      const send = (body: string | null, type = "text/plain") =>
        fetch(`${address}/api/v1/keys`, {
          method: body === null ? "GET" : "POST",
          credentials: "include",
          ...(body !== null && { body, headers: { "Content-Type": type } }),
        }).then(
          (response) => String(response.status),
          () => "unreadable",
        );
      return [await send(null), await send('{"label":"Forged"}'), await send('{"label":"Forged"}', "application/json")];
    }, baseUrl);
    expect(read).toEqual(["unreadable", "unreadable", "unreadable"]);
    const submitted = page.waitForNavigation();
    await page.evaluate((address) => {
      const form = document.createElement("form");
      Object.assign(form, { method: "POST", action: `${address}/api/v1/keys`, enctype: "text/plain" });
      const field = document.createElement("input");
      Object.assign(field, { name: '{"label":"Forged","x":"', value: '"}' });
      form.append(field);
      document.body.append(form);
      form.submit();
    }, baseUrl);
    expect((await submitted)?.status()).toBe(403);
    const { data } = await (await client.get("/api/v1/keys")).json();
    expect(data.map(({ label }: { label: string }) => label)).not.toContain("Forged");
  });

  slowTest("ends the sessions of other browsers", async () => {
    const client = await openClient();
    await using first = await openSignedIn(client);
    await using second = await openSignedIn(client);
    await show(second.page, "Account");
    await press(second.page, "End all others");
    await second.page.waitForFunction(() => document.querySelectorAll(".sessions li").length === 1);
    await show(first.page, "Captures").catch(() => undefined);
    await first.page.goto(`${baseUrl}/app`);
    await first.page.waitForSelector("#sign-in-key");
  });

  test("each screen fits into each width in light and dark, does not move while it loads slowly, and axe-core finds nothing", async () => {
    const client = await openClient();
    await storeExamples(client);
    await using opened = await openSignedIn(client);
    const { page } = opened;
    const layoutShift = await observeLayoutShift(page);
    await delayAnswers(page);
    for (const path of [...screenPaths, "/nothing"]) {
      await page.setViewport({ width: 320, height: 740 });
      await page.goto(`${baseUrl}/app${path}`, { waitUntil: "networkidle0" });
      await page.waitForSelector(".app-account strong");
      expect(await layoutShift(), path).toBeLessThanOrEqual(0.02);
      expect(await viewProblems(page, ordinaryViews), path).toEqual([]);
    }
  });
});

/** Answers with data come after the frame has been seen, the session before the rest. */
async function delayAnswers(page: Page): Promise<void> {
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const delayMs = pathname === "/session" ? 200 : pathname.startsWith("/api/") ? 300 : 0;
    setTimeout(() => void request.continue(), delayMs);
  });
}

test("dashboard: the first view of each screen takes at most 5 requests, and 55 kB", async () => {
  for (const path of [...screenPaths, "/captures/7", "/sign-in"]) {
    const address = `${baseUrl}/app${path}`;
    const page = await (await fetch(address)).text();
    const files = [...page.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]+)"/g)].map(
      ([, file = ""]) => `${baseUrl}${file}`,
    );
    const sizes = await transferSizes([address, ...files]);
    expect(sizes.length, path).toBe(5); // the document, its style sheet, the font, and two scripts
    expect(
      sizes.reduce((sum, size) => sum + size),
      path,
    ).toBeLessThanOrEqual(55_000);
  }
});

slowTest("dashboard: changes the address in two steps, and the previous address undoes it by its link", async () => {
  const client = await openClient();
  const name = randomUUID().slice(0, 8);
  const [first, second] = [`ann-${name}@customer.example`, `eve-${name}@customer.example`];
  await using opened = await openSignedIn(client);
  const { page } = opened;
  const confirm = async (field: string, address: string, count: number) =>
    fill(page, field, await codeTo(address, count));
  await show(page, "Account");
  await fill(page, "#account-email", first);
  await press(page, "Send a code");
  await page.waitForSelector("#account-code");
  await confirm("#account-code", first, 1);
  await press(page, `Send a code to ${first}`);
  await page.waitForSelector("#current-address-code");
  expect(await accessibilityProblems(page)).toEqual([]);
  await confirm("#current-address-code", first, 2);
  await fill(page, "#account-email", second);
  await press(page, "Send a code");
  await page.waitForSelector("#account-code");
  expect(await accessibilityProblems(page)).toEqual([]);
  await confirm("#account-code", second, 1);
  await page.waitForFunction(() => document.body.innerText.includes("The address is changed"));
  await expect.poll(() => textOf(page, ".facts")).toContain(second);

  await expect.poll(async () => (await mailsTo(first)).length).toBe(3);
  const link = /http\S+undo-address#token=\S+/.exec((await mailsTo(first))[0]?.text ?? "")?.[0] ?? "";
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector(".button-primary");
  expect(page.url()).not.toContain("token");
  expect(await accessibilityProblems(page)).toEqual([]);
  await press(page, "Undo the change");
  await page.waitForFunction((address) => document.body.innerText.includes(`${address} is the account`), {}, first);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto(`${baseUrl}/app/account`);
  await page.waitForSelector("#sign-in-key");
});
