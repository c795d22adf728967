// Runs a change that a visitor requested, once at a time, and keeps its problem.
import { useState } from "preact/hooks";
import { RequestError } from "./api.ts";

export interface Action {
  readonly isRunning: boolean;
  readonly problem: RequestError | undefined;
  /** Calls `onDone` after the change. Resolves to false when the change failed, which is then in `problem`. */
  readonly run: (change: () => Promise<void>, onDone?: () => void) => Promise<boolean>;
  /** Forgets the problem. */
  readonly clear: () => void;
}

export function useAction(): Action {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<RequestError>();
  const run = async (change: () => Promise<void>, onDone?: () => void) => {
    if (isRunning) return false;
    setRunning(true);
    setProblem(undefined);
    try {
      await change();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setProblem(error);
      return false;
    } finally {
      setRunning(false);
    }
    onDone?.();
    return true;
  };
  return { isRunning, problem, run, clear: () => setProblem(undefined) };
}
