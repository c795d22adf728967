// Leads to the operator's page for payments, at an address that the service signs.
import { send } from "../../ui/api.ts";

/** Opens the page for a plan; without one, it shows how the account pays. Rejects when the service can't sign the address. */
export async function openPaymentPage(plan?: string): Promise<void> {
  const { url } = await send<{ readonly url: string }>("POST", "/api/v1/account/payment-address", { plan });
  location.assign(url);
}
