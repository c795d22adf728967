// The mails that the running service has sent, from its mail catcher.
import { expect, inject } from "vitest";
import type { CaughtMail } from "../../lib/tools/local/engines/inbox-page.ts";

/** The mails to an address, newest first. */
export async function mailsTo(address: string): Promise<CaughtMail[]> {
  const mails: CaughtMail[] = await (await fetch(`${inject("service").mail}/messages`)).json();
  return mails.filter(({ to }) => to.includes(address));
}

/** The `count`-th code that was mailed to an address, once that was sent. */
export async function codeTo(address: string, count = 1): Promise<string> {
  const codes = async () => (await mailsTo(address)).flatMap(({ subject }) => /^(\d{6}) /.exec(subject)?.[1] ?? []);
  await expect.poll(async () => (await codes()).length).toBeGreaterThanOrEqual(count);
  return (await codes())[0] ?? "";
}

/** The secret of the link to a page of the dashboard in the latest mail to an address that has one, once that was sent. */
export async function linkTokenTo(address: string, page: string): Promise<string> {
  const find = async () =>
    (await mailsTo(address)).flatMap(({ text }) => new RegExp(`/app/${page}#token=([\\w-]+)`).exec(text)?.[1] ?? [])[0];
  await expect.poll(find).toBeDefined();
  return (await find()) ?? "";
}
