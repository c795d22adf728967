/// <reference lib="dom" />
// Records errors that the page's scripts did not catch. Chromium dispatches them to listeners of the page's own world only,
// so that one script listens there, and passes them to another in the capture's isolated world.

/** Shared by the scripts of the isolated world, which are bundled apart; a symbol, because an element can have any name. */
const KEY = Symbol.for("page-errors");
const scope = globalThis as { [KEY]?: string[] };

const MAX_ERRORS = 20;
const MAX_CHARACTERS = 300;

/** Listens in the page's own world, before its scripts run, and dispatches an event of the type `channel` for each error. */
export function forwardPageErrors(channel: string): void {
  const dispatch = EventTarget.prototype.dispatchEvent.bind(window);
  const Message = CustomEvent;
  let count = 0;
  const forward = (text: string) => {
    if (count++ < MAX_ERRORS) dispatch(new Message(channel, { detail: text.slice(0, MAX_CHARACTERS) }));
  };
  // Errors of elements, such as scripts that do not load, do not bubble.
  window.addEventListener(
    "error",
    (event) => {
      if (!event.isTrusted) return;
      const { target } = event;
      if (event instanceof ErrorEvent) forward(event.message);
      else if (target instanceof HTMLScriptElement && target.src) forward(`The script ${target.src} did not load.`);
    },
    { capture: true },
  );
  window.addEventListener("unhandledrejection", (event) => {
    if (event.isTrusted) forward(`Uncaught (in promise) ${describeReason(event.reason)}`);
  });
}

/** A reason is any value of the page, whose properties may throw. */
function describeReason(reason: unknown): string {
  try {
    return reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  } catch {
    return "";
  }
}

/** Starts recording in this document, in the isolated world. Does nothing where it has started. */
export function recordPageErrors(channel: string): void {
  if (scope[KEY]) return;
  const errors: string[] = [];
  scope[KEY] = errors;
  window.addEventListener(channel, (event) => {
    const text = event instanceof CustomEvent ? event.detail : undefined;
    if (typeof text === "string" && errors.length < MAX_ERRORS) errors.push(text.slice(0, MAX_CHARACTERS));
  });
}

/** The errors so far, oldest first. */
export function readPageErrors(): readonly string[] {
  return scope[KEY] ?? [];
}
