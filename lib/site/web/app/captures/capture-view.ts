// How the list of captures is shown, which this browser remembers.
import { useState } from "preact/hooks";

export const captureViews = ["grid", "table"] as const;
export type CaptureView = (typeof captureViews)[number];

const STORED = "captures-view";

function storedView(): CaptureView {
  try {
    return localStorage.getItem(STORED) === "table" ? "table" : "grid";
  } catch {
    return "grid";
  }
}

export function useCaptureView(): readonly [CaptureView, (view: CaptureView) => void] {
  const [view, setView] = useState(storedView);
  const choose = (chosen: CaptureView) => {
    setView(chosen);
    try {
      localStorage.setItem(STORED, chosen);
    } catch {
      // A browser that stores nothing shows the grid the next time.
    }
  };
  return [view, choose];
}
