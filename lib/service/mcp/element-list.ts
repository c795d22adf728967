// The elements of a page as lines that a model reads with the marked picture.
import type { StoredContent } from "./capture-content.ts";
import { markUntrusted } from "./untrusted.ts";

/** Characters of the list with its note, about 5,000 tokens. */
export const MAX_LIST_CHARACTERS = 16_000;

/** What the note and the tags around the list take, and the line about what is left out. */
const FRAME_CHARACTERS = 500;

const MAX_ADDRESS_CHARACTERS = 120;

interface ListedElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value: string | null;
  readonly states: Readonly<Record<string, unknown>>;
  readonly frame: string | null;
  readonly selector: string | null;
  readonly href: string | null;
}

/** The marked elements first, then those that the picture doesn't show; as untrusted content, since the page names them. */
export function describeElements(metadata: StoredContent): string {
  const { elements = [], truncated = false } = (metadata["elements"] ?? {}) as {
    elements?: readonly ListedElement[];
    truncated?: boolean;
  };
  const marks = (metadata["marks"] ?? []) as readonly { readonly ref: string; readonly mark: number }[];
  const numbers = new Map(marks.map(({ ref, mark }) => [ref, mark]));
  const marked = elements
    .filter(({ ref }) => numbers.has(ref))
    .map((each) => `${numbers.get(each.ref)} ${describe(each)}`);
  const others = elements.filter(({ ref }) => !numbers.has(ref)).map((each) => `- ${describe(each)}`);
  const lines = [...marked, ...(others.length > 0 ? ["Not in the picture:", ...others] : [])];
  const kept: string[] = [];
  let left = MAX_LIST_CHARACTERS - FRAME_CHARACTERS;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const missing = lines.length - kept.length;
  const isCut = missing > 0 || truncated;
  const rest = isCut ? ["More elements are left out: set elements_root to a part of the page, such as main."] : [];
  return [markUntrusted(kept.join("\n")), ...rest].join("\n");
}

/** One line: role, name, states, value, address, and the selector to send back. */
function describe({ role, name, value, states, frame, selector, href }: ListedElement): string {
  const set = Object.entries(states).map(([state, is]) => (is === true ? state : `${state}=${String(is)}`));
  return [
    role,
    JSON.stringify(name),
    ...(set.length > 0 ? [`(${set.join(", ")})`] : []),
    ...(value ? [`value ${JSON.stringify(value)}`] : []),
    ...(href ? [`to ${href.slice(0, MAX_ADDRESS_CHARACTERS)}`] : []),
    ...(frame === null ? [] : [`in the frame ${frame.slice(0, MAX_ADDRESS_CHARACTERS)}`]),
    ...(frame === null && selector !== null ? [`selector ${selector}`] : []),
  ].join(" ");
}
