// The log context of a request or a job: fields that all of its log lines and metrics have, so that each can be traced to its account.
import { AsyncLocalStorage } from "node:async_hooks";

export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

const storage = new AsyncLocalStorage<{ fields: Fields }>();

/** Runs `work` with `fields` in each of its log lines, on top of those of the context that it runs in. */
export function withLogContext<T>(fields: Fields, work: () => T): T {
  return storage.run({ fields: { ...storage.getStore()?.fields, ...fields } }, work);
}

/** Adds fields to the log lines that follow in this context. Does nothing outside of one. */
export function addLogContext(fields: Fields): void {
  const context = storage.getStore();
  if (context) context.fields = { ...context.fields, ...fields };
}

/** The fields of this context. */
export function logContext(): Fields {
  return storage.getStore()?.fields ?? {};
}

/** Adds the host of the page that is captured, the option `url`; nothing for HTML or Markdown. */
export function addHostToLogContext(url: unknown): void {
  const host = typeof url === "string" ? URL.parse(url)?.host : undefined;
  if (host) addLogContext({ host });
}
