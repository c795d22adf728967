// Texts for reading: JSON folded, HTML and Markdown with their marks coloured. Captured content is inserted as text only.
import type { ComponentChildren } from "preact";
import { parseJson } from "./parse-json.ts";
import { ScrollRegion } from "./scroll-region.tsx";

/** More would make the page slow; the download has all of it. */
const MAX_SHOWN_CHARACTERS = 200_000;

/** A text of a media type. JSON that is damaged is shown as it is. */
export function TextView({ text, type }: { text: string; type: string }) {
  const value = type === "application/json" ? parseJson(text) : undefined;
  if (value !== undefined) return <JsonView value={value} />;
  const shown = text.slice(0, MAX_SHOWN_CHARACTERS);
  return (
    <>
      <ScrollRegion class="text-view" label="Result as text">
        <pre>
          <code>{highlighted(shown, type)}</code>
        </pre>
      </ScrollRegion>
      {text.length > shown.length && (
        <p class="note">The first {MAX_SHOWN_CHARACTERS.toLocaleString("en")} characters. Download it for the rest.</p>
      )}
    </>
  );
}

const grammars: Readonly<Record<string, readonly (readonly [pattern: RegExp, className: string])[]>> = {
  "text/html": [
    [/<!--[\s\S]*?-->/y, "comment"],
    [/<\/?[a-zA-Z][\w:-]*/y, "name"],
    [/"[^"\n]{0,2000}"(?=[\s/>])/y, "string"],
    [/\/?>/y, "name"],
  ],
  "text/markdown": [
    [/(?<=^|\n)#{1,6} [^\n]*/y, "name"],
    [/(?<=^|\n)\s*(?:[-*+]|\d+\.) /y, "keyword"],
    [/`[^`\n]{1,500}`/y, "string"],
    [/\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)/y, "number"],
  ],
};

/** Spans for what the grammar knows, and texts for the rest. */
function highlighted(text: string, type: string): ComponentChildren {
  const grammar = grammars[type];
  if (!grammar) return text;
  const parts: ComponentChildren[] = [];
  let plainFrom = 0;
  let index = 0;
  while (index < text.length) {
    const found = matchAt(grammar, text, index);
    if (!found) {
      index++;
      continue;
    }
    const [match, className] = found;
    if (index > plainFrom) parts.push(text.slice(plainFrom, index));
    parts.push(<span class={`code-${className}`}>{match}</span>);
    index += match.length;
    plainFrom = index;
  }
  return [...parts, text.slice(plainFrom)];
}

function matchAt(grammar: readonly (readonly [RegExp, string])[], text: string, index: number) {
  for (const [pattern, className] of grammar) {
    pattern.lastIndex = index;
    const match = pattern.exec(text)?.[0];
    if (match) return [match, className] as const;
  }
  return undefined;
}

/** A JSON value as a tree. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    <div class="json-view">
      <JsonNode value={value} />
    </div>
  );
}

/** The inner levels are folded when they are long. */
function JsonNode({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const label = name === undefined ? null : <span class="code-name">{name}: </span>;
  if (typeof value !== "object" || value === null) {
    const className = typeof value === "string" ? "code-string" : "code-number";
    return (
      <div class="json-leaf">
        {label}
        <span class={className}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const summary = Array.isArray(value) ? `[ ${entries.length} ]` : `{ ${entries.length} }`;
  return (
    <details class="json-node" open={depth < 2 && entries.length <= 40}>
      <summary>
        {label}
        <span class="code-comment">{summary}</span>
      </summary>
      {entries.slice(0, 500).map(([key, each]) => (
        <JsonNode key={key} name={key} value={each} depth={depth + 1} />
      ))}
    </details>
  );
}
