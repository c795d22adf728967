// E-mail addresses: which mailbox one names, and who owns its domain, for the limits of trials.
import mailchecker from "mailchecker";

/** How a provider reads the addresses of its domains, in addition to a tag after `+`, which nearly all of them cut. */
interface Provider {
  /** Domains with the same mailboxes. The first one stands for all of them. */
  readonly domains: readonly string[];
  /** What the provider ignores in a name. */
  readonly ignored?: RegExp;
  /** True if `anything@name.domain` leads to `name@domain`. */
  readonly hasSubdomains?: true;
}

/**
 * Providers whose domains are one, or who have more than one spelling of a mailbox. A provider with several domains on which different people
 * have the same name, such as Outlook and GMX, isn't here; nor are aliases that its users choose, which nothing tells from other addresses.
 * No package that is kept has these rules.
 */
const PROVIDERS: readonly Provider[] = [
  // https://support.google.com/mail/answer/7436150, https://support.google.com/mail/answer/10313
  { domains: ["gmail.com", "googlemail.com"], ignored: /\./g },
  // https://proton.me/support/addresses-and-aliases, https://proton.me/support/change-username
  { domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"], ignored: /[._-]/g },
  // https://support.apple.com/102540
  { domains: ["icloud.com", "me.com", "mac.com"] },
  // https://yandex.com/support/id/authorization/email.html; in a name, a dot and a hyphen are the same
  {
    domains: [
      ...["yandex.ru", "ya.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.ua", "yandex.uz", "yandex.az"],
      ...["yandex.kg", "yandex.md", "yandex.tj", "yandex.tm", "yandex.lt", "yandex.lv", "yandex.ee", "yandex.fr"],
      ...["yandex.com.tr", "yandex.com.am", "yandex.com.ge", "yandex.co.il"],
    ],
    ignored: /[.-]/g,
  },
  // https://www.fastmail.help/hc/en-us/articles/360060591053
  ...[
    ...["fastmail.com", "fastmail.fm", "fastmail.cn", "fastmail.co.uk", "fastmail.de", "fastmail.es", "fastmail.in"],
    ...["fastmail.jp", "fastmail.mx", "fastmail.net", "fastmail.nl", "fastmail.org", "fastmail.se", "fastmail.to"],
    ...["fastmail.tw", "fastmail.uk", "fastmail.us", "myfastmail.com", "sent.com"],
  ].map((domain) => ({ domains: [domain], hasSubdomains: true }) as const),
  // Names have no hyphen; a disposable address is a name, a hyphen, and a keyword:
  // http://help.yahoo.com/help/uk/bt/tutorials/mail/addressguard2.html
  ...[
    ...["yahoo.com", "ymail.com", "rocketmail.com", "myyahoo.com", "aol.com", "yahoo.co.jp", "yahoo.ne.jp"],
    ...["yahoo.co.uk", "yahoo.co.in", "yahoo.in", "yahoo.co.id", "yahoo.co.kr", "yahoo.co.nz", "yahoo.co.th"],
    ...["yahoo.co.za", "yahoo.co.il", "yahoo.com.ar", "yahoo.com.au", "yahoo.com.br", "yahoo.com.cn", "yahoo.com.co"],
    ...["yahoo.com.hk", "yahoo.com.mx", "yahoo.com.my", "yahoo.com.pe", "yahoo.com.ph", "yahoo.com.sg", "yahoo.com.tr"],
    ...["yahoo.com.tw", "yahoo.com.ve", "yahoo.com.vn", "yahoo.at", "yahoo.be", "yahoo.ca", "yahoo.cl", "yahoo.cn"],
    ...["yahoo.cz", "yahoo.de", "yahoo.dk", "yahoo.es", "yahoo.fi", "yahoo.fr", "yahoo.gr", "yahoo.hu", "yahoo.ie"],
    ...["yahoo.it", "yahoo.nl", "yahoo.no", "yahoo.pl", "yahoo.pt", "yahoo.ro", "yahoo.se"],
  ].map((domain) => ({ domains: [domain], ignored: /-.*/ })),
];

/**
 * Returns the mailbox that an address leads to as far as is known: without case, without a tag, and as its provider reads it. It only
 * limits trials and codes; mail is sent to the address as it was given.
 */
export function mailboxOf(address: string): string {
  const { name, domain } = parts(address);
  const bySubdomain = PROVIDERS.find(
    ({ domains: [first = ""], hasSubdomains }) => hasSubdomains && domain.endsWith(`.${first}`),
  )?.domains[0];
  if (bySubdomain !== undefined) {
    const user = domain
      .slice(0, -bySubdomain.length - 1)
      .split(".")
      .at(-1);
    return mailboxOf(`${user}@${bySubdomain}`);
  }
  const [untagged = ""] = name.split("+");
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  return `${provider?.ignored ? untagged.replace(provider.ignored, "") : untagged}@${provider?.domains[0] ?? domain}`;
}

/** Both in lower case. A dot at the end of a domain means nothing. */
function parts(address: string): { readonly name: string; readonly domain: string } {
  const at = address.lastIndexOf("@");
  return {
    name: address.slice(0, at).toLowerCase(),
    domain: address
      .slice(at + 1)
      .toLowerCase()
      .replace(/\.$/, ""),
  };
}

/** True for an address of a service that gives mailboxes away for some minutes. */
export function isDisposable(address: string): boolean {
  return !mailchecker.isValid(address);
}

/** Providers that give mailboxes to everyone, so that their domains say nothing about who has one. */
const PUBLIC_PROVIDERS: ReadonlySet<string> = new Set([
  ...["gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com", "yahoo.co.jp"],
  ...["icloud.com", "me.com", "mac.com", "aol.com", "proton.me", "protonmail.com", "pm.me", "fastmail.com", "zoho.com"],
  ...["gmx.de", "gmx.net", "gmx.com", "gmx.at", "gmx.ch", "web.de", "t-online.de", "posteo.de", "mailbox.org"],
  ...["orange.fr", "free.fr", "laposte.net", "wanadoo.fr", "libero.it", "wp.pl", "onet.pl", "seznam.cz", "hey.com"],
  ...["mail.ru", "yandex.ru", "yandex.com", "qq.com", "163.com", "126.com", "naver.com", "daum.net", "rediffmail.com"],
  ...["hotmail.fr", "hotmail.de", "hotmail.co.uk", "yahoo.co.uk", "yahoo.fr", "yahoo.de", "yahoo.co.in"],
  ...["btinternet.com", "tutanota.com"],
]);

/** Labels below the domain of a country under which anyone registers a domain, such as `co` in `co.uk`. */
const SECOND_LEVEL =
  /^(ac|asso|biz|co|com|edu|firm|gen|go|gob|gouv|gov|id|ind|info|ltd|me|mil|ne|net|nom|or|org|plc|sch|web)$/;

/**
 * Returns the domain of an address whose owner can create any number of mailboxes, without its subdomains; undefined for a
 * provider of mailboxes for everyone, but not for a subdomain of one. The public suffix list is too large for a limit: a domain below another
 * suffix than those of `SECOND_LEVEL` shares the limit of the suffix.
 */
export function ownedDomain(address: string): string | undefined {
  const { domain } = parts(address);
  if (PUBLIC_PROVIDERS.has(domain)) return undefined;
  const labels = domain.split(".");
  const isBelowSuffix = labels.at(-1)?.length === 2 && SECOND_LEVEL.test(labels.at(-2) ?? "");
  return labels.slice(isBelowSuffix ? -3 : -2).join(".");
}
