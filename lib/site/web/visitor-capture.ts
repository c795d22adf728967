// A capture without an API key, by the form of the landing page: shows the phases as they start, the picture in place of the sample, and
// the code of the same request. Loaded when a visitor uses the form.
import {
  KEYLESS_CAPTURES_PER_HOUR,
  KEYLESS_OPTIONS,
  type KeylessEvent,
  type KeylessPicture,
} from "../../contract/keyless-capture.ts";
import { createElement } from "./create-element.ts";
import { apiBaseUrl } from "./service-address.ts";
import { shareFragment } from "./shared/share-link.ts";

/** The phases of a capture in words, in the order in which they first start. */
const phaseNames: Readonly<Record<string, string>> = {
  browser: "Browser starts",
  navigate: "Page loads",
  settle: "Page settles",
  capture: "Picture is taken",
  encode: "Picture is encoded",
};

/** What an error means to a visitor, who has sent nothing but an address. */
const errorTexts: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: "This is no address of a page. Enter one such as example.com.",
  URL_NOT_ALLOWED: "This address isn’t on the public internet. Enter a public one.",
  TARGET_NAME_NOT_RESOLVED: "No site has this name. Check the address.",
  TARGET_UNREACHABLE: "The site doesn’t answer. Check the address, or try another one.",
  TARGET_TLS_ERROR: "The certificate of the site is invalid. Try another address.",
  TARGET_HTTP_ERROR: "The site answers with an error. Check the address.",
  TARGET_BLOCKED: "The site asks visitors to prove that they are human. Try another address.",
  TARGET_TOO_LARGE: "The page is too large to try it here. Try another address.",
  CAPTURE_TIMEOUT: "The page takes longer than 15 seconds. With a key, you can wait longer.",
};

/** Why no capture was started. Each is followed by when the next one can be, and by a link to get a key. */
const refusals: Readonly<Record<number, string>> = {
  429: `Your network has made its ${KEYLESS_CAPTURES_PER_HOUR} captures of this hour.`,
  503: "The captures for visitors are used up for today.",
};
const BUSY = "Too many pages are being captured right now.";

let waking: Promise<unknown> = Promise.resolve();

/** Has the service start a function and its browser while the visitor types. A capture waits for it, or would start another one. */
export function wakeService(): void {
  waking = post({}).then(
    (response) => response.text(),
    () => undefined,
  );
}

function post(options: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response> {
  return fetch(`${apiBaseUrl}/try`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(options),
    signal: signal ?? null,
  });
}

/** The capture whose phases are shown. */
let running: { readonly url: string; readonly abort: AbortController } | undefined;

/** Captures the address in the form. Another address ends the running capture. */
export async function captureForVisitor(form: HTMLFormElement): Promise<void> {
  const parts = partsOf(form);
  const url = completeAddress(parts.field.value);
  parts.field.value = url;
  if (running?.url === url) return;
  running?.abort.abort();
  const current = { url, abort: new AbortController() };
  running = current;
  const { signal } = current.abort;
  parts.field.ariaInvalid = null;
  parts.note.classList.remove("wrong");
  parts.note.textContent = "Your page is being captured.";
  parts.figure.ariaBusy = "true";
  restoreSample(parts.figure); // the picture of another page must not stand below this address
  parts.figure.scrollIntoView({ block: "nearest" });
  const phases = new PhaseList(parts.figure);
  const progress = new Progress(url, parts.figure, () => current.abort.abort());
  try {
    await showSamples(url);
    const picture = await requestPicture(url, phases, signal);
    await showPicture(picture, url, parts, signal);
    const code = createElement("a", { href: "#code" }, "The same request in code");
    parts.note.replaceChildren(`Done: ${hostOf(url)}. `, code, " is below.");
  } catch (error) {
    if (running !== current) return; // another address was entered
    restoreSample(parts.figure);
    parts.field.focus();
    if (signal.aborted) return parts.note.replaceChildren("Cancelled.");
    if (isAboutAddress(error)) parts.field.ariaInvalid = "true";
    parts.note.classList.add("wrong");
    parts.note.replaceChildren(...describe(error));
  } finally {
    phases.remove();
    progress.stop();
    if (running === current) {
      running = undefined;
      parts.figure.ariaBusy = null;
    }
  }
}

interface FormParts {
  readonly field: HTMLInputElement;
  readonly note: HTMLElement;
  readonly figure: HTMLElement;
}

function partsOf(form: HTMLFormElement): FormParts {
  return {
    field: form.querySelector("input") as HTMLInputElement,
    note: form.querySelector("[role=status]") as HTMLElement,
    figure: document.querySelector(".viewfinder") as HTMLElement,
  };
}

/** The address with its scheme, which people leave out. */
function completeAddress(sent: string): string {
  const address = sent.trim();
  return /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** The service refused to capture, or the capture failed. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds after which it may work. */
  readonly retryAfter: number | undefined;

  constructor({ status, code, retryAfter }: Pick<Refused, "status" | "code" | "retryAfter">) {
    super(code);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Sends the request and reports its phases. Throws `Refused`, a `TypeError` when the connection fails, or the reason of the signal. */
async function requestPicture(url: string, phases: PhaseList, signal: AbortSignal): Promise<KeylessPicture> {
  await waking;
  const response = await post({ url }, signal);
  const { status } = response;
  if (!response.ok || !response.body) {
    const { code = "" } = await response.json().catch(() => ({}));
    throw new Refused({ status, code, retryAfter: Number(response.headers.get("retry-after")) || undefined });
  }
  let last: KeylessEvent | undefined;
  for await (const event of readEvents(response.body)) {
    if ("phase" in event) phases.start(event.phase, event.at_ms);
    last = event;
  }
  if (last && "picture" in last) return last.picture;
  if (last && "error" in last) throw new Refused({ status, code: last.error.code, retryAfter: undefined });
  throw new TypeError("The response ended before its picture.");
}

/** The events of newline-delimited JSON as they arrive. */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<KeylessEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = `${rest}${part.value}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

function isAboutAddress(error: unknown): boolean {
  return error instanceof Refused && error.code in errorTexts;
}

/** What went wrong, in words for visitors, and what they can do. */
function describe(error: unknown): (Node | string)[] {
  if (!(error instanceof Refused)) return ["The service can’t be reached. Check your connection, then try again."];
  const refusal = refusals[error.status];
  if (refusal === undefined) return [errorTexts[error.code] ?? "The page couldn’t be captured. Try another address."];
  const { retryAfter = 0 } = error;
  const why =
    retryAfter > SHORT_WAIT_S
      ? `${refusal} Try again at ${hoursAndMinutes(new Date(Date.now() + retryAfter * 1000))}`
      : `${BUSY} Try again in a moment`;
  return [`${why}, or `, keyLink(), "."];
}

/** Seconds that people wait for. */
const SHORT_WAIT_S = 60;

function hoursAndMinutes(time: Date): string {
  return time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** A link in a sentence to the page where this visitor gets a key, as the button of the header is. */
function keyLink(): HTMLElement {
  const buttons = [...document.querySelectorAll<HTMLAnchorElement>(".site-header .by-session a.button")];
  const button = buttons.find((each) => each.checkVisibility());
  const text = button?.textContent ?? "Get a key";
  return createElement("a", { href: button?.href ?? "" }, `${text.charAt(0).toLowerCase()}${text.slice(1)}`);
}

/** The phases over the viewfinder: each with its duration once the next one starts. It takes no space, so that nothing moves. */
class PhaseList {
  readonly #list = createElement("div", { className: "phases", role: "log", ariaLabel: "Phases of the capture" });
  #current: { readonly startedAt: number; readonly duration: HTMLElement } | undefined;

  constructor(figure: HTMLElement) {
    figure.append(this.#list);
  }

  start(phase: string, atMs: number): void {
    if (this.#current) this.#current.duration.textContent = `${atMs - this.#current.startedAt} ms`;
    const duration = createElement("span", {}, "…");
    this.#list.append(createElement("p", {}, `${phaseNames[phase] ?? phase} `, duration));
    this.#current = { startedAt: atMs, duration };
  }

  remove(): void {
    this.#list.remove();
  }
}

/** The caption of the figure during a capture: the host, the seconds since its start, and a button that ends it. */
class Progress {
  readonly #interval: number;

  constructor(url: string, figure: HTMLElement, cancel: () => void) {
    const startedAt = performance.now();
    const seconds = createElement("span", { className: "seconds" }, "0 s");
    const button = createElement("button", { type: "button", onclick: cancel }, "Cancel");
    writeCaption(figure, `Capturing ${hostOf(url)}`, seconds, button);
    this.#interval = setInterval(() => {
      seconds.textContent = `${Math.floor((performance.now() - startedAt) / 1000)} s`;
    }, 1000);
  }

  stop(): void {
    clearInterval(this.#interval);
  }
}

function writeCaption(figure: HTMLElement, ...facts: (string | Element)[]): void {
  const parts = facts.map((fact) => (typeof fact === "string" ? createElement("span", {}, fact) : fact));
  figure.querySelector("figcaption")?.replaceChildren(...parts);
}

/** The picture and the caption that the page came with. */
let sample: readonly Node[] | undefined;

/** Shows the sample that the page came with, in place of a visitor's picture. */
function restoreSample(figure: HTMLElement): void {
  const shown = figure.querySelectorAll("picture, figcaption");
  sample ??= [...shown].map((element) => element.cloneNode(true));
  for (const [index, element] of shown.entries()) {
    const original = sample[index];
    if (original && !element.isEqualNode(original)) element.replaceWith(original.cloneNode(true));
  }
}

/** Puts the picture in the place of the sample, which has the same proportions. Throws the reason of the signal once it is aborted. */
async function showPicture(
  picture: KeylessPicture,
  url: string,
  { figure }: FormParts,
  signal: AbortSignal,
): Promise<void> {
  const { mime_type: type, data, total_ms: totalMs, from_cache: fromCache, captured_at: capturedAt } = picture;
  const image = figure.querySelector("img") as HTMLImageElement;
  const source = `data:${type};base64,${data}`;
  await Object.assign(new Image(), { src: source }).decode();
  signal.throwIfAborted();
  for (const each of figure.querySelectorAll("source")) each.remove();
  image.src = source;
  image.alt = `${hostOf(url)}, captured now`;
  const when = fromCache
    ? `captured at ${hoursAndMinutes(new Date(capturedAt))}`
    : `captured in ${(totalMs / 1000).toFixed(2)} s`;
  const { naturalWidth, naturalHeight } = image;
  writeCaption(
    figure,
    `${naturalWidth} × ${naturalHeight}`,
    "WebP",
    `${Math.round((data.length * 3) / 4000)} KB`,
    when,
  );
}

/** Characters that a query may have but that end a string in some language. */
const QUOTES = /['!()*~]/g;

const SAMPLE_URL = "https://example.com";
const IN_QUERY = `url=${SAMPLE_URL}`;

/** The texts of the samples as the page has them. */
let templates: Map<Text, string> | undefined;

/** Writes the address into the code of the request, in all languages, and into the link to the playground. */
async function showSamples(url: string): Promise<void> {
  const samples = document.querySelector("#code .samples");
  if (!samples) return;
  templates ??= new Map(textsIn(samples).map((text) => [text, text.data]));
  const inQuery = encodeURIComponent(url)
    .replaceAll("%3A", ":")
    .replaceAll("%2F", "/")
    .replaceAll(QUOTES, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  for (const [text, template] of templates) {
    text.data = template
      .replaceAll(IN_QUERY, () => `url=${inQuery}`)
      .replaceAll(JSON.stringify(SAMPLE_URL), () => JSON.stringify(url));
  }
  const link = samples.querySelector<HTMLAnchorElement>("a.try");
  if (link) link.hash = await shareFragment({ url, ...KEYLESS_OPTIONS }, () => false);
}

function textsIn(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts.filter(({ data }) => data.includes(SAMPLE_URL));
}
