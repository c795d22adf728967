// The fixes of options that the API refuses, read from its messages.
import { type Fix, removeOptions, setOptions } from "./fix.ts";
import type { RequestOptions } from "./request-options.ts";

/** The fixes of one option, the best first. */
export function validationFixes(name: string, messages: readonly string[], sent: RequestOptions): readonly Fix[] {
  if (sent[name] === undefined) return [];
  const removal = removeOptions(`Remove ${name}`, [name]);
  for (const message of messages) {
    const [, meant] = /did you mean '(\w+)'/.exec(message) ?? [];
    if (meant !== undefined) {
      return [setOptions(`Rename it to ${meant}`, { [name]: undefined, [meant]: sent[name] }), removal];
    }
    const [, other] = /conflicts with (?:the )?'(\w+)'/.exec(message) ?? [];
    if (other !== undefined && sent[other] !== undefined) {
      return [removal, removeOptions(`Remove ${other}`, [other])];
    }
    const [, format] = /set 'format' to (\w+)/.exec(message) ?? [];
    if (format !== undefined) return [setOptions(`Set format=${format}`, { format }), removal];
    const [, needed] = /has no effect without '(\w+)'$/.exec(message) ?? [];
    if (needed?.startsWith("block_") || needed === "cache" || needed === "full_page") {
      return [setOptions(`Set ${needed}`, { [needed]: true }), removal];
    }
  }
  return isInput(name) ? [] : [removal];
}

const isInput = (name: string) => ["url", "html", "markdown"].includes(name);
