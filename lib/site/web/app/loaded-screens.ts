// The components of the screens, whose scripts load one by one: that of the first screen with the document, the others when they are
// wanted, or when the browser has nothing else to do.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type EntryName, entryNames, type ScreenProps } from "./screen.ts";

/** Pages that need no session have components without properties. */
export type Components = Readonly<Record<string, ComponentType<ScreenProps>>>;

const loaded = new Map<string, ComponentType<ScreenProps>>();

export function addComponents(components: Components): void {
  for (const [name, component] of Object.entries(components)) loaded.set(name, component);
}

/** Names of the scripts, such as `keys-6PNHGP5S.js`, which are next to this one. */
const scripts = document.getElementById("app")?.dataset["scripts"]?.split(" ") ?? [];

/** Resolves to what the script of an entry exports. The scripts start this module, which therefore can't import them by their names. */
export async function loadEntry(name: EntryName): Promise<unknown> {
  const script = scripts.find((each) => each.startsWith(`${name}-`));
  if (script === undefined) throw new Error(`The document names no script of ${name}.`);
  return import(new URL(script, import.meta.url).href);
}

interface LoadedScreen {
  /** Undefined while its script loads. */
  readonly component: ComponentType<ScreenProps> | undefined;
  /** True when its script can't be loaded, such as after an update of the service. */
  readonly hasFailed: boolean;
}

/** The component of this name, whose script is loaded unless it has been. Nothing is loaded without a name. */
export function useComponent(name: string | undefined, entry: EntryName | undefined): LoadedScreen {
  const [failed, setFailed] = useState<string>();
  const [, setRound] = useState(0);
  const component = name === undefined ? undefined : loaded.get(name);
  const isMissing = component === undefined && name !== undefined;
  useEffect(() => {
    if (!isMissing || entry === undefined) return;
    loadEntry(entry).then(
      () => setRound((last) => last + 1),
      () => setFailed(name),
    );
  }, [isMissing, name, entry]);
  return { component, hasFailed: isMissing && failed === name };
}

/** Loads the scripts of all screens, one after the other. Returns what stops it. */
export function loadWhenIdle(): () => void {
  const controller = new AbortController();
  const load = async () => {
    for (const name of entryNames) {
      if (controller.signal.aborted) return;
      await loadEntry(name).catch(() => undefined); // it is loaded again when it is wanted
    }
  };
  const whenIdle = globalThis.requestIdleCallback ?? ((start: () => void) => setTimeout(start, 1_000)); // not in Safari
  whenIdle(() => void load());
  return () => controller.abort();
}
