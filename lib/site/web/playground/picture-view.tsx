// A picture, fitted or in its real size, or compared with the one before.
import { useState } from "preact/hooks";
import { CompareView } from "./compare-view.tsx";
import { useObjectUrl } from "./object-url.ts";
import type { PictureSize } from "./picture-size.ts";
import { ScrollRegion } from "./scroll-region.tsx";

export interface Picture {
  readonly body: Blob;
  readonly size: PictureSize;
}

const modes = { fit: "Fit", real: "Real size", compare: "Compare" } as const;
type Mode = keyof typeof modes;

interface PictureViewProps {
  readonly url: string;
  readonly size: PictureSize;
  /** Another picture, which can be compared with it. */
  readonly before?: Picture | undefined;
}

export function PictureView({ url, size, before }: PictureViewProps) {
  const [chosen, setMode] = useState<Mode>("fit");
  const beforeUrl = useObjectUrl(before?.body);
  const mode = chosen === "compare" && !before ? "fit" : chosen;
  const { width, height } = size;
  return (
    <div class="picture">
      <div class="picture-bar">
        <fieldset class="segments" aria-label="View">
          {(Object.keys(modes) as Mode[])
            .filter((each) => each !== "compare" || before)
            .map((each) => (
              <button key={each} type="button" aria-pressed={mode === each} onClick={() => setMode(each)}>
                {modes[each]}
              </button>
            ))}
        </fieldset>
        <span class="figure">
          {width} × {height}
        </span>
      </div>
      {mode === "compare" && before && beforeUrl !== undefined ? (
        <CompareView before={{ url: beforeUrl, ...before.size }} now={{ url, ...size }} />
      ) : (
        <ScrollRegion class={`canvas canvas-${mode}`} label="Captured picture">
          <img src={url} alt="The captured page" width={width} height={height} />
        </ScrollRegion>
      )}
    </div>
  );
}
