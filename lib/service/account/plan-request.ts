// Tells the operator by e-mail that the owner of an account asks for another plan.
import * as v from "valibot";
import { planNames, plans } from "../../contract/plans.ts";
import { sendForAccount } from "../aws/account-queue.ts";
import { oneLine } from "../mail/one-line.ts";
import type { Mail } from "../mail/send-mail.ts";
import { optionalVariable } from "../platform/environment.ts";
import { logError, logInfo } from "../platform/log.ts";
import type { Account } from "./account.ts";
import { readKeyRing } from "./account-store.ts";

/** The plan that an owner asks for. */
export const PlanRequestSchema = v.object({ plan: v.picklist(planNames) });
export type PlanRequest = v.InferOutput<typeof PlanRequestSchema>;

/** Queues the mail about a request that is stored. Does nothing where no mail is configured. Never rejects. */
export async function queuePlanRequest(accountId: number, plan_request: PlanRequest): Promise<void> {
  const queueUrl = optionalVariable("QUOTA_ALERT_QUEUE_URL");
  if (queueUrl === undefined) return;
  try {
    await sendForAccount(queueUrl, { account_id: accountId, plan_request });
  } catch (error) {
    logError("request for another plan not queued", error, { account_id: accountId });
  }
}

/** Sends the mail about a request, unless it was withdrawn, changed, or fulfilled meanwhile. */
export async function sendPlanRequest(
  { accountId, request: { plan } }: { readonly accountId: number; readonly request: PlanRequest },
  {
    accountsTable,
    operator,
    send,
  }: {
    readonly accountsTable: string;
    /** Address of the operator. */
    readonly operator: string;
    readonly send: (mail: Omit<Mail, "from">) => Promise<void>;
  },
): Promise<void> {
  const { account } = await readKeyRing(accountsTable, accountId);
  if (account.requested_plan !== plan) return;
  await send({ to: operator, ...planRequestMail(account, plan) });
  logInfo("request for another plan reported", { account_id: accountId, plan });
}

/** Returns the subject and the text for the operator. The label is the customer's, so it is in the text only. */
export function planRequestMail(
  { id, label, email, plan: current }: Pick<Account, "id" | "label" | "email" | "plan">,
  asked: PlanRequest["plan"],
): Pick<Mail, "subject" | "text"> {
  return {
    subject: `Account ${id} asks for the plan ${plans[asked].label}`,
    text: [
      `The owner of the account ${id} asks for another plan.`,
      [
        `Name: ${oneLine(label)}`,
        `E-mail address: ${email ?? "none"}`,
        `Present plan: ${plans[current].label}`,
        `Requested plan: ${plans[asked].label}`,
      ].join("\n"),
      `To accept it: npm run accounts -- plan --account ${id} --plan ${asked}`,
    ].join("\n\n"),
  };
}
