// Every mail in a real browser: its HTML says what its plain text says, fits into each width, and axe-core finds nothing.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import type { MailDocument } from "../../../lib/service/mail/mail-document.ts";
import { mailHtml } from "../../../lib/service/mail/mail-html.ts";
import { mailText } from "../../../lib/service/mail/mail-text.ts";
import { pauseMail } from "../../../lib/service/receivers/pause-notice.ts";
import { exampleIdentity, mailExamples } from "../../../lib/tools/mails/mail-examples.ts";
import { viewProblems } from "../../support/page-views.ts";
import { sampled } from "../../support/slow-run.ts";
import { webBrowser } from "../../support/web-browser.ts";

const browser = webBrowser();
const examples = Object.entries(mailExamples);

/** Shows a mail. Resolves to what its reader sees, and to where its links lead. */
async function show(
  page: Page,
  mail: MailDocument,
): Promise<{ readonly text: string; readonly links: readonly string[] }> {
  await page.setContent(mailHtml(mail, exampleIdentity));
  return page.evaluate(() => ({
    text: document.body.innerText,
    links: [...document.links].map(({ href }) => href.replace("mailto:", "")),
  }));
}

/** The words and addresses of a plain text, without the names of its lines and the dashes of its signature. */
const words = (text: string) => text.split(/\s+/).filter((word) => word !== "--");

test("mails: the HTML says everything that the plain text says, and its links lead to addresses that the text has", async () => {
  await using opened = await browser.open("about:blank");
  for (const [name, mail] of examples) {
    const text = mailText(mail, exampleIdentity);
    const { text: shown, links } = await show(opened.page, mail);
    const all = `${words(shown).join(" ")} ${links.join(" ")}`;
    const missing = words(text).filter((word) => !all.includes(word.replace(/:$/, "")));
    expect([name, missing.join(" ").replace(/^(Your )?code is$/, "")]).toEqual([name, ""]);
    expect([name, links.filter((link) => !text.includes(link))]).toEqual([name, []]);
  }
  expect(opened.requests).toEqual([]);
});

test("mails: the words of customers and operators are text in the HTML, not markup", async () => {
  await using opened = await browser.open("about:blank");
  const label = `</p><a href="https://evil.example">"Pay" & 'sign in'</a><img src=x onerror="document.title='run'">`;
  const receiver = { id: "rcv_1", name: label, origin: "https://a.example", failing_since: "2026-01-30T06:00:00.000Z" };
  const mail = pauseMail({ ...receiver, is_last: false }, "https://captures.example");
  const subject = `"><script>document.title = "run"</script>`;
  const { text, links } = await show(opened.page, { ...mail, subject, heading: "<b>Paused</b>" });
  expect(text).toContain(`“${label}”`);
  expect(text).toContain("<b>Paused</b>");
  expect(links).toEqual(expect.arrayContaining(["https://captures.example/app/webhooks?receiver=rcv_1"]));
  expect(links.join(" ")).not.toContain("evil");
  expect(await opened.page.title()).toBe(subject);
});

const views = [320, 640].flatMap((width) => (["light", "dark"] as const).map((scheme) => ({ width, scheme }) as const));

sampled(test, 6).each(examples)(
  "mail %s: fits into narrow and wide windows, and axe-core finds nothing in light and dark",
  async (_, mail) => {
    await using opened = await browser.open("about:blank");
    await show(opened.page, mail);
    const problems = await viewProblems(opened.page, views);
    // A mail is a part of the page of its reader's program, which has the landmarks.
    expect(problems.filter((problem) => !/: (landmark-one-main|region): /.test(problem))).toEqual([]);
  },
);
