// E-mail addresses: which mailbox one names, and who owns its domain, for the limits of trials.
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

/** Providers that give mailboxes to everyone, so that their domains say nothing about who has one. */
const PUBLIC_PROVIDERS: ReadonlySet<string> = new Set([
  ...["gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com", "yahoo.co.jp"],
  ...["icloud.com", "me.com", "mac.com", "aol.com", "proton.me", "protonmail.com", "pm.me", "fastmail.com", "zoho.com"],
  ...[
    "gmx.de",
    "gmx.net",
    "gmx.com",
    "gmx.at",
    "gmx.ch",
    "web.de",
    "t-online.de",
    "posteo.de",
    "mailbox.org",
    "tutanota.com",
  ],
  ...["orange.fr", "free.fr", "laposte.net", "wanadoo.fr", "libero.it", "wp.pl", "onet.pl", "seznam.cz", "hey.com"],
  ...["mail.ru", "yandex.ru", "yandex.com", "qq.com", "163.com", "126.com", "naver.com", "daum.net", "rediffmail.com"],
  ...[
    "hotmail.fr",
    "hotmail.de",
    "hotmail.co.uk",
    "yahoo.co.uk",
    "yahoo.fr",
    "yahoo.de",
    "yahoo.co.in",
    "btinternet.com",
  ],
]);

/**
 * Returns the domain of an address whose owner can create any number of mailboxes, without its subdomains; undefined for a
 * provider of mailboxes for everyone. Second-level suffixes, such as `co.uk`, are known by their length: the public suffix list
 * is too large for a limit.
 */
export function ownedDomain(address: string): string | undefined {
  const labels = address
    .slice(address.lastIndexOf("@") + 1)
    .toLowerCase()
    .split(".");
  const suffixLabels = labels.length > 2 && (labels.at(-2) ?? "").length <= 3 ? 2 : 1;
  const domain = labels.slice(-suffixLabels - 1).join(".");
  return PUBLIC_PROVIDERS.has(domain) ? undefined : domain;
}
