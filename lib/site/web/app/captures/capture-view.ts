// How the list of captures is shown, which this browser remembers.
import { useState } from "preact/hooks";
import { readStored, store } from "../../shared/storage.ts";

export const captureViews = ["grid", "table"] as const;
export type CaptureView = (typeof captureViews)[number];

const STORED = "captures-view";

export function useCaptureView(): readonly [CaptureView, (view: CaptureView) => void] {
  const [view, setView] = useState(() => captureViews.find((each) => each === readStored("localStorage", STORED)));
  const choose = (chosen: CaptureView) => {
    setView(chosen);
    store("localStorage", STORED, chosen);
  };
  return [view ?? "grid", choose];
}
