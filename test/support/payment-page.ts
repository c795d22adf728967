// A page for payments, as the operator has one: it reports the plan that was taken.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
import { listen } from "../../lib/tools/local/loopback.ts";

export interface PaymentPage {
  /** Its address, for the setting of the service. */
  readonly url: string;
  /** Says where the service is, once that runs. */
  connect(service: { readonly baseUrl: string; readonly secret: string }): void;
  close(): void;
}

let reports = 0;

/** Reports an event to the service, as a payment provider does. Rejects unless it is applied. */
export async function reportBillingEvent(
  { baseUrl, secret }: { readonly baseUrl: string; readonly secret: string },
  event: Readonly<Record<string, unknown>>,
): Promise<void> {
  const id = `report-${process.pid}-${++reports}`;
  const now = new Date();
  const body = JSON.stringify({ occurred_at: now.toISOString(), ...event });
  const response = await fetch(`${baseUrl}/billing/events`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, now, body),
    },
    body,
  });
  const answer = await response.text();
  if (answer !== '{"applied":true}') throw new Error(`The event was answered with ${response.status}: ${answer}`);
}

/** Starts the page. It shows a button for the plan of its address, and leads back to the dashboard; without a plan, it does the latter only. */
export async function startPaymentPage(): Promise<PaymentPage> {
  let service: { readonly baseUrl: string; readonly secret: string } | undefined;
  const server = createServer(async (request, response) => {
    const parameters = new URL(request.url ?? "", "http://page").searchParams;
    const plan = parameters.get("plan");
    if (request.method === "GET") {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(
        `<!doctype html><title>Pay</title><form method="post"><button>Pay ${plan ?? "an invoice"}</button></form>`,
      );
      return;
    }
    const account_id = Number(parameters.get("account"));
    if (service && plan !== null) await reportBillingEvent(service, { type: "plan.set", account_id, plan });
    response.writeHead(303, { Location: parameters.get("return_to") ?? "" }).end();
  });
  const url = `http://${await listen(server)}/plans`;
  return {
    url,
    connect: (running) => {
      service = running;
    },
    close: () => void server.close(),
  };
}
