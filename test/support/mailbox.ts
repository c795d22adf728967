// The mails that the running service has sent, from its mail catcher.
import { expect, inject } from "vitest";
import type { CaughtMail } from "../../lib/tools/local/engines/mail-catcher.ts";

/** The mails to an address, newest first. */
export async function mailsTo(address: string): Promise<CaughtMail[]> {
  const mails: CaughtMail[] = await (await fetch(`${inject("service").mail}/messages`)).json();
  return mails.filter(({ to }) => to.includes(address));
}

/** The code of the `count`-th mail to an address, once that was sent. */
export async function codeTo(address: string, count = 1): Promise<string> {
  await expect.poll(async () => (await mailsTo(address)).length).toBeGreaterThanOrEqual(count);
  const [latest] = await mailsTo(address);
  return /^(\d{6}) /.exec(latest?.subject ?? "")?.[1] ?? "";
}
