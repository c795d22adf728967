// Makes all pauses of this process longer, for models of systems that are faster than this machine.
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

/** Multiplies the pauses of `node:timers/promises` until it is disposed of. */
export function slowPauses(factor: number): Disposable {
  const original = timers.setTimeout;
  const replace = (pause: typeof timers.setTimeout) => {
    timers.setTimeout = pause;
    syncBuiltinESMExports();
  };
  replace((milliseconds = 0, ...others) => original(milliseconds * factor, ...others));
  return { [Symbol.dispose]: () => replace(original) };
}
