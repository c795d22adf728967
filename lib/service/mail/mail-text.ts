// Renders the plain text of a mail.
import { identityNames, identitySettings, type OperatorIdentity } from "../../contract/operator-identity.ts";
import type { MailBlock, MailDocument } from "./mail-document.ts";

/** A longer line of a text and an address is two, so that readers of mail don't break the address. */
const LINE_LENGTH = 120;

/**
 * Returns the plain text of a mail, with the addresses that the operator has set after the line by which readers of mail know a
 * signature (RFC 3676, section 4.3).
 */
export function mailText({ blocks }: Pick<MailDocument, "blocks">, identity: OperatorIdentity = {}): string {
  const lines = identityNames.flatMap((name) => {
    const address = identity[name];
    return address === undefined ? [] : [`${identitySettings[name].label}: ${address}`];
  });
  const signature = lines.length === 0 ? [] : [`-- \n${lines.join("\n")}`];
  return `${[...blocks.map(blockText), ...signature].join("\n\n")}\n`;
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case "paragraph":
    case "note":
      return block.text;
    case "code":
      return `Your code is ${block.code}`;
    case "button":
    case "link": {
      const { lead, address } = block;
      return `${lead}:${lead.length + address.length < LINE_LENGTH ? " " : "\n"}${address}`;
    }
    case "command":
      return `${block.lead}: ${block.command}`;
    case "facts":
      return block.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
  }
}
