// The options of a capture as the playground edits them: what differs from the defaults, as the API takes it.
import { withOutputList } from "./output-list.ts";

export type RequestOptions = Readonly<Record<string, unknown>>;

export const sources = ["url", "html", "markdown"] as const;
export type Source = (typeof sources)[number];

/** What the playground edits. The inputs that aren't chosen are kept, but not sent. */
export interface Draft {
  readonly source: Source;
  readonly inputs: Readonly<Record<Source, string>>;
  /** Only what was changed; without the input. */
  readonly options: RequestOptions;
}

const SAMPLE_HTML = `<main>
  <h1>Hello from your own capture API</h1>
  <p>Edit this page, then capture it.</p>
</main>
<style>
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; font: 1.25rem system-ui; background: #fbeee8 }
  h1 { font-size: 3rem; letter-spacing: -0.02em; margin: 0 }
</style>
`;

const SAMPLE_MARKDOWN = `# Release notes

A small **Markdown** document, rendered as GitHub does.

- [x] Tables, task lists, and code
- [ ] Your own text

| Format | Use |
| --- | --- |
| PNG | interfaces |
| PDF | documents |
`;

export const initialDraft: Draft = {
  source: "url",
  inputs: { url: "https://example.com", html: SAMPLE_HTML, markdown: SAMPLE_MARKDOWN },
  options: {},
};

/** The body of the request. */
export function requestOptions({ source, inputs, options }: Draft): RequestOptions {
  return { [source]: source === "url" ? withScheme(inputs.url) : inputs[source], ...options };
}

/** A scheme, such as `https:` or `data:`. A name with a dot, or before a number, is a host: `localhost:3000`. */
const SCHEME = /^[a-z][a-z0-9+-]*:(?!\d)/i;

/** An address as the API takes it: `example.com` becomes `https://example.com`. */
export function withScheme(address: string): string {
  const text = address.trim();
  return text === "" || SCHEME.test(text) ? text : `https://${text.replace(/^\/\//, "")}`;
}

/** The draft whose address is as it is sent. */
export function withCompleteAddress(draft: Draft): Draft {
  const url = withScheme(draft.inputs.url);
  return url === draft.inputs.url ? draft : { ...draft, inputs: { ...draft.inputs, url } };
}

/** The draft that sends these options. Inputs that they lack stay as they are in `previous`. */
export function draftFromOptions(sent: RequestOptions, previous: Draft = initialDraft): Draft {
  const { url, html, markdown, ...options } = sent;
  const inputs = { url, html, markdown };
  const source = sources.find((each) => typeof inputs[each] === "string") ?? previous.source;
  const text = inputs[source];
  return {
    source,
    inputs: typeof text === "string" ? { ...previous.inputs, [source]: text } : previous.inputs,
    options: withOutputList(options),
  };
}

/** The draft with another value of an option; undefined removes it. */
export function withOption(draft: Draft, name: string, value: unknown): Draft {
  const { [name]: _, ...others } = draft.options;
  return { ...draft, options: value === undefined ? others : { ...others, [name]: value } };
}

/** Options whose response a synchronous request alone has. */
const synchronousOptions = ["async", "response_type", "validate", "fallback_image", "cache_stale_ttl"];

/**
 * True for a request that is asynchronous, or can be sent so and shown the same: its capture can be cancelled, and found again after a
 * reload.
 */
export function isCancellable(options: RequestOptions): boolean {
  return options["async"] === true || synchronousOptions.every((name) => options[name] === undefined);
}
