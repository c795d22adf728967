/// <reference lib="dom" />
// Records errors that the page's scripts did not catch. Chromium dispatches them to listeners of the page's own world only: a
// script listens there, and answers the capture's isolated world by events of a secret type.

const MAX_ERRORS = 20;
const MAX_CHARACTERS = 300;

/** Records in the page's own world, before its scripts run. Answers events of the type `channel`. */
export function recordPageErrors(channel: string): void {
  const errors: string[] = [];
  const dispatch = EventTarget.prototype.dispatchEvent.bind(window);
  const Answer = CustomEvent;
  const { stringify } = JSON;
  const add = (text: string) => {
    if (errors.length < MAX_ERRORS) errors.push(text.slice(0, MAX_CHARACTERS));
  };
  // Errors of elements, such as scripts that do not load, do not bubble.
  window.addEventListener(
    "error",
    (event) => {
      if (!event.isTrusted) return;
      const { target } = event;
      if (event instanceof ErrorEvent) add(event.message);
      else if (target instanceof HTMLScriptElement && target.src) add(`The script ${target.src} did not load.`);
    },
    { capture: true },
  );
  window.addEventListener("unhandledrejection", (event) => {
    if (event.isTrusted) add(`Uncaught (in promise) ${describeReason(event.reason)}`);
  });
  window.addEventListener(channel, () => dispatch(new Answer(answerType(channel), { detail: stringify(errors) })));
}

/** A reason is any value of the page, whose properties may throw. */
function describeReason(reason: unknown): string {
  try {
    return reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  } catch {
    return "";
  }
}

function answerType(channel: string): string {
  return `${channel}-errors`;
}

/** The errors so far, oldest first, for the isolated world. */
export function readPageErrors(channel: string): readonly string[] {
  let errors: readonly string[] = [];
  const read = (event: Event) => {
    const list: unknown = event instanceof CustomEvent ? parse(event.detail) : undefined;
    if (Array.isArray(list)) errors = list.filter((text) => typeof text === "string").slice(0, MAX_ERRORS);
  };
  window.addEventListener(answerType(channel), read, { once: true });
  window.dispatchEvent(new Event(channel));
  window.removeEventListener(answerType(channel), read);
  return errors;
}

/** The page may have changed what its own world writes. */
function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
