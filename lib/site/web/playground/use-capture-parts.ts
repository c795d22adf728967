// Loads what a capture, its result, and its errors need, once any of it is needed.
import { useEffect, useState } from "preact/hooks";

export type CaptureParts = Awaited<ReturnType<typeof loadCaptureParts>>;

export const loadCaptureParts = async () => (await import("./capture-parts.ts")).captureParts;

/** Undefined until they are loaded; `missing` if they can't be. */
export function useCaptureParts(isNeeded: boolean): CaptureParts | "missing" | undefined {
  const [parts, setParts] = useState<CaptureParts | "missing">();
  useEffect(() => {
    if (isNeeded) loadCaptureParts().then(setParts, () => setParts("missing"));
  }, [isNeeded]);
  return parts;
}
