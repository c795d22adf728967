// The e-mail that says that an account was deleted.
import { type MailDocument, note, paragraph } from "../mail/mail-document.ts";
import type { Deletion } from "./account-deletion.ts";

const written = (count: number) => count.toLocaleString("en");

export function deletionMail(
  accountId: number,
  { captures, jobs, results, api_keys }: Deletion["deleted"],
): MailDocument<"deleted-account"> {
  return {
    name: "deleted-account",
    subject: "Your account was deleted",
    blocks: [
      paragraph(`The account ${accountId} was deleted, as you asked for in its dashboard, with all its data.`),
      {
        kind: "facts",
        facts: [
          ["Captures in the log", written(captures)],
          ["Asynchronous captures", written(jobs)],
          ["Stored results", written(results)],
          ["API keys", written(api_keys)],
        ],
      },
      note(
        "What captures that were still running have stored is deleted within half an hour. Stored results that nothing referred to any " +
          "more are deleted within 31 days.",
      ),
    ],
  };
}
