// Loads a value for a component, again whenever its inputs change, and aborts what is not needed any more.
import { type Inputs, useEffect, useState } from "preact/hooks";

/** Neither a value nor an error while it is loading. */
interface Loaded<Value> {
  readonly value?: Value;
  readonly error?: unknown;
}

export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>, inputs: Inputs): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setLoaded({});
    load(signal).then(
      (value) => !signal.aborted && setLoaded({ value }),
      (error: unknown) => !signal.aborted && setLoaded({ error }),
    );
    return () => controller.abort();
  }, inputs);
  return loaded;
}
