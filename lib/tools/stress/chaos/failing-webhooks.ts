// The answers of a webhook receiver that fails the first attempts of half of the deliveries, and a record of all deliveries.
import type { Received, WebhookAnswer } from "../../../../test/fixtures/webhook-receiver.ts";

export interface RecordedWebhook extends Pick<Received, "headers" | "body"> {
  /** Accounts with a secret that verified it when it came: a signature is only valid for five minutes. */
  readonly signers: readonly number[];
  /** Whether the answer was 2xx. */
  readonly isTaken: boolean;
}

export interface WebhookFailures {
  /** So often at most a webhook fails, because its later tries are hours apart. */
  readonly mostFailures: number;
  /** The accounts with a secret that verifies a webhook now. */
  signersOf(webhook: Received): readonly number[];
  /** Returns true to kill the sender of a webhook before its response. */
  interrupt(): boolean;
  /** A number from 0 up to 1. */
  random(): number;
}

export interface FailingWebhooks {
  /** Oldest first. */
  readonly received: readonly RecordedWebhook[];
  answer(webhook: Received): WebhookAnswer;
}

export function createFailingWebhooks({
  mostFailures,
  signersOf,
  interrupt,
  random,
}: WebhookFailures): FailingWebhooks {
  const received: RecordedWebhook[] = [];
  const failures = new Map<unknown, number>();
  return {
    received,
    answer(webhook) {
      const { headers, body } = webhook;
      const signers = signersOf(webhook);
      const isInterrupted = interrupt();
      const failed = failures.get(headers["webhook-id"]) ?? 0;
      const isTaken = !isInterrupted && (failed >= mostFailures || random() < 0.5);
      received.push({ headers, body, signers, isTaken });
      if (isTaken) return 204;
      if (isInterrupted) return "reset";
      failures.set(headers["webhook-id"], failed + 1);
      return random() < 0.5 ? 500 : "reset";
    },
  };
}
