// Runs a change that a visitor requested, once at a time, and keeps its problem.
import { useState } from "preact/hooks";
import { RequestError } from "./api.ts";

export interface Action {
  readonly isRunning: boolean;
  readonly problem: RequestError | undefined;
  /** Resolves to false when the change failed, which is then in `problem`. */
  readonly run: (change: () => Promise<void>) => Promise<boolean>;
  /** Forgets the problem. */
  readonly clear: () => void;
}

export function useAction(): Action {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<RequestError>();
  const run = async (change: () => Promise<void>) => {
    if (isRunning) return false;
    setRunning(true);
    setProblem(undefined);
    try {
      await change();
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setProblem(error);
      return false;
    } finally {
      setRunning(false);
    }
  };
  return { isRunning, problem, run, clear: () => setProblem(undefined) };
}
