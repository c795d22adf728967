// Who runs the service, in pages that are built before it is known: placeholders, which a page gets filled when it is served.
import {
  type IdentitySetting,
  identityNames,
  identitySettings,
  type OperatorIdentity,
  supportLink,
} from "../contract/operator-identity.ts";
import { escapeHtml, type Html, html, rawHtml } from "./html.ts";

/** Stands for the links to what is set, for a navigation with other links. */
export const identityLinks = rawHtml("%identity:links%");

/** Stands for the footer of a page that has no other links in it; for nothing where nothing is set. */
export const identityFooter = rawHtml("%identity:footer%");

/** Stands for a link to the support, which needs one to be set: see `bySupport`. */
export const supportContact = rawHtml("%identity:contact%");

/** Stands for the address of the support, as the value of an attribute; empty where none is set. */
export const supportValue = rawHtml("%identity:support%");

/** Stands for the lines of a text for programs. */
export const IDENTITY_LINES = "%identity:lines%";

const fillers: Readonly<Record<string, (identity: OperatorIdentity) => string>> = {
  links: (identity) => html`${links(identity)}`.text,
  footer: (identity) => footer(identity).text,
  contact: ({ support = "" }) => html`<a href="${supportLink(support)}">${withoutScheme(support)}</a>`.text,
  support: ({ support = "" }) => escapeHtml(support),
  lines(identity) {
    const lines = settings(identity).map(({ label, address }) => `- ${label}: ${address}`);
    return lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
  },
};

/** The text of a page with these addresses in its placeholders. */
export function withIdentity(page: string, identity: OperatorIdentity): string {
  return page.replaceAll(/%identity:(\w+)%/g, (placeholder, name: string) => {
    const fill = Object.hasOwn(fillers, name) ? fillers[name] : undefined;
    return fill ? fill(identity) : placeholder;
  });
}

function links(identity: OperatorIdentity): Html[] {
  return settings(identity).map(
    ({ name, label, address }) => html`<a href="${name === "support" ? supportLink(address) : address}">${label}</a>\n`,
  );
}

function footer(identity: OperatorIdentity): Html {
  const found = links(identity);
  if (found.length === 0) return html``;
  return html`<footer class="site-footer"><div><nav aria-label="Footer">
${found}</nav></div></footer>`;
}

/** What is set, in order. */
function settings(identity: OperatorIdentity): { name: IdentitySetting; label: string; address: string }[] {
  return identityNames.flatMap((name) => {
    const address = identity[name];
    return address === undefined ? [] : [{ name, label: identitySettings[name].label, address }];
  });
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\/|\/$/g, "");
}
