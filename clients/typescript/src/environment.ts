// What the client takes from where it runs: settings of the environment, and the functions of the language that it needs.
import { ScreenCaptureError } from "./api-error.ts";

interface Runtime {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** A variable of the environment; undefined where it isn't set, in a browser, and where the program may not read it. */
export function environment(name: string): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/** Throws a `ScreenCaptureError` in Node.js before 20, which has no `crypto`. */
export function requireRuntime(): void {
  if (typeof crypto === "object" && "any" in AbortSignal) return;
  throw new ScreenCaptureError(
    "The client needs Node.js 20.17 or later, or another runtime with Web Crypto and AbortSignal.any.",
  );
}
