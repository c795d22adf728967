// A picture, fitted or in its real size, or compared with the one before.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ScrollRegion } from "../shared/scroll-region.tsx";
import { Segments } from "../shared/segments.tsx";
import { CompareView } from "./compare-view.tsx";
import { useObjectUrl } from "./object-url.ts";
import type { PictureSize } from "./picture-size.ts";

export interface Picture {
  readonly body: Blob;
  readonly size: PictureSize;
}

type Mode = "fit" | "real" | "compare";
const modes = [
  ["fit", "Fit"],
  ["real", "Real size"],
] as const;

interface PictureViewProps {
  readonly url: string;
  readonly size: PictureSize;
  /** Another picture, which can be compared with it. */
  readonly before?: Picture | undefined;
  /** At the end of the bar. */
  readonly children: ComponentChildren;
}

export function PictureView({ url, size, before, children }: PictureViewProps) {
  const [chosen, setMode] = useState<Mode>("fit");
  const beforeUrl = useObjectUrl(before?.body);
  const mode = chosen === "compare" && !before ? "fit" : chosen;
  const { width, height } = size;
  return (
    <div class="picture">
      <div class="picture-bar">
        <Segments
          label="View"
          options={before ? [...modes, ["compare", "Compare"]] : modes}
          value={mode}
          onChange={setMode}
        />
        <span class="figure">
          {width} × {height}
        </span>
        {children}
      </div>
      {mode === "compare" && before && beforeUrl !== undefined ? (
        <CompareView before={{ url: beforeUrl, ...before.size }} now={{ url, ...size }} />
      ) : (
        <ScrollRegion
          class={mode === "fit" && isShownWhole(size) ? "canvas canvas-whole" : `canvas canvas-${mode}`}
          label="Captured picture"
        >
          <img
            src={url}
            alt="The captured page"
            width={width}
            height={height}
            style={{ "--width": `${width}px`, "--ratio": width / height }}
          />
        </ScrollRegion>
      )}
    </div>
  );
}

/** False for a picture so high that it would be narrow: that one has the width of the pane, and scrolls. */
const isShownWhole = ({ width, height }: PictureSize) => height <= 1.5 * width;
