/// <reference lib="dom" />
// Records errors of the page's scripts from the start of each document on, in the capture's isolated world.

/** Shared by the scripts of the isolated world, which are bundled apart; a symbol, because an element can have any name. */
const KEY = Symbol.for("page-errors");
const scope = globalThis as { [KEY]?: string[] };

const MAX_ERRORS = 20;
const MAX_CHARACTERS = 300;

/** Starts recording in this document. Does nothing where it has started. */
export function recordPageErrors(): void {
  if (scope[KEY]) return;
  const errors: string[] = [];
  scope[KEY] = errors;
  const add = (text: string) => {
    if (errors.length < MAX_ERRORS) errors.push(text.slice(0, MAX_CHARACTERS));
  };
  // Errors of elements, such as scripts that do not load, do not bubble.
  window.addEventListener(
    "error",
    (event) => {
      const { target } = event;
      if (event instanceof ErrorEvent) add(event.message);
      else if (target instanceof HTMLScriptElement && target.src) add(`The script ${target.src} did not load.`);
    },
    { capture: true },
  );
}

/** The errors so far, oldest first. */
export function readPageErrors(): readonly string[] {
  return scope[KEY] ?? [];
}
