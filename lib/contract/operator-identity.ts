// Who runs a service: the addresses that its operator gives to customers, and the only forms that they can have.

/** All are optional: what isn't set is shown nowhere. */
export interface OperatorIdentity {
  /** E-mail address or web address of those who help customers. */
  readonly support?: string;
  /** Web address of the terms of service. */
  readonly terms?: string;
  /** Web address of the privacy policy. */
  readonly privacy?: string;
  /** Web address of the imprint, which some countries require. */
  readonly imprint?: string;
  /** Web address of the source code that the service runs. */
  readonly source?: string;
}

export type IdentitySetting = keyof OperatorIdentity;

/** The settings in the order in which pages show them: the variable of the environment, and how a link is called. */
export const identitySettings = {
  support: { variable: "SUPPORT", label: "Support" },
  terms: { variable: "TERMS_URL", label: "Terms" },
  privacy: { variable: "PRIVACY_URL", label: "Privacy" },
  imprint: { variable: "IMPRINT_URL", label: "Imprint" },
  source: { variable: "SOURCE_URL", label: "Source code" },
} as const satisfies Record<IdentitySetting, { readonly variable: string; readonly label: string }>;

/** The names of the settings, in the same order. */
export const identityNames = Object.keys(identitySettings) as readonly IdentitySetting[];

/** Lambda takes 4 KB of environment for all variables of a function. */
const MAX_ADDRESS_LENGTH = 200;

const EMAIL_ADDRESS = /^[a-z0-9._+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

/** Hosts of this machine, which need no TLS. */
const LOOPBACK_HOST = /^(?:localhost|[a-z0-9.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The addresses as they are shown: an e-mail address as it is, a web address as a browser writes it, in which quotation marks and angle
 * brackets are percent-encoded. Empty ones count as missing. Throws an error of one sentence that names the first one that is no such address,
 * by `nameOf` its setting.
 */
export function parseIdentity(
  settings: { readonly [Name in IdentitySetting]?: string | undefined },
  nameOf: (setting: IdentitySetting) => string = (setting) => setting,
): OperatorIdentity {
  return Object.fromEntries(
    identityNames.flatMap((name) => {
      const { [name]: text = "" } = settings;
      return text === "" ? [] : [[name, parseAddress(text, { setting: nameOf(name), takesEmail: name === "support" })]];
    }),
  );
}

function parseAddress(text: string, { setting, takesEmail }: { setting: string; takesEmail: boolean }): string {
  if (takesEmail && isEmailAddress(text)) return text;
  const url = /[\s<>"]/.test(text) ? null : URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK_HOST.test(url.hostname));
  if (!url || !isSafe || url.username !== "" || url.password !== "") {
    const expected = takesEmail
      ? "an e-mail address such as support@example.com, or an https address"
      : "an https address";
    throw new Error(`${setting} must be ${expected} such as https://example.com/${example(setting)}, not '${text}'.`);
  }
  const address = url.href.replaceAll("$", "%24"); // a template of API Gateway would replace a variable
  if (address.length > MAX_ADDRESS_LENGTH)
    throw new Error(`${setting} must have at most ${MAX_ADDRESS_LENGTH} characters, not ${address.length}.`);
  return address;
}

/** `TERMS_URL` and `identity.terms` are `terms`. */
function example(setting: string): string {
  return (setting.split(".").at(-1) ?? "").replace("_URL", "").toLowerCase();
}

/** True for an e-mail address of the characters that need no quotes. */
export function isEmailAddress(address: string): boolean {
  return address.length <= MAX_ADDRESS_LENGTH && EMAIL_ADDRESS.test(address);
}

/** Where a link to the support leads. */
export function supportLink(support: string): string {
  return isEmailAddress(support) ? `mailto:${support}` : support;
}

/** What a customer does to reach the support, in the middle of a sentence: `write to support@example.com`. */
export function reachSupport(support: string): string {
  return isEmailAddress(support) ? `write to ${support}` : `go to ${support}`;
}

/** The same for a text about the operator, who has no address where no support is set: `ask the operator of this service`. */
export function reachOperator(support: string | undefined): string {
  return support === undefined ? "ask the operator of this service" : reachSupport(support);
}
