// E-mail addresses: which mailbox one names, for the limit of trials.
import mailchecker from "mailchecker";

/** Domains of Gmail, which ignores dots before the @. */
const GMAIL = ["gmail.com", "googlemail.com"];

/**
 * Returns the mailbox that an address leads to as far as is known: without case, without a tag after `+`, and for Gmail
 * without dots. It only limits trials; mail is sent to the address as it was given.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1).toLowerCase();
  const [name = ""] = address.slice(0, at).toLowerCase().split("+");
  return GMAIL.includes(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}

/** True for an address of a service that gives mailboxes away for some minutes. */
export function isDisposable(address: string): boolean {
  return !mailchecker.isValid(address);
}
