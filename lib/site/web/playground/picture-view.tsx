// A picture, fitted or in its real size, or compared with the one before.
import { useState } from "preact/hooks";
import { CompareView } from "./compare-view.tsx";
import { useObjectUrl } from "./object-url.ts";
import { ScrollRegion } from "./scroll-region.tsx";

const modes = { fit: "Fit", real: "Real size", compare: "Compare" } as const;
type Mode = keyof typeof modes;

interface Size {
  readonly width: number;
  readonly height: number;
}

interface PictureViewProps {
  readonly url: string;
  readonly type: string;
  readonly before?: Blob | undefined;
}

export function PictureView({ url, type, before }: PictureViewProps) {
  const [mode, setMode] = useState<Mode>("fit");
  const [loaded, setLoaded] = useState<Size & { readonly url: string }>();
  const [isBroken, setBroken] = useState(false);
  const beforeUrl = useObjectUrl(before);
  const [beforeSize, setBeforeSize] = useState<Size>();
  const size = loaded?.url === url ? loaded : undefined;
  const isComparable = size !== undefined && beforeUrl !== undefined && beforeSize !== undefined;
  if (isBroken) return <p class="idle">This browser can’t show {type}. Download the file instead.</p>;
  return (
    <div class="picture">
      <div class="picture-bar">
        <fieldset class="segments" aria-label="View">
          {(Object.keys(modes) as Mode[])
            .filter((each) => each !== "compare" || isComparable)
            .map((each) => (
              <button key={each} type="button" aria-pressed={mode === each} onClick={() => setMode(each)}>
                {modes[each]}
              </button>
            ))}
        </fieldset>
        {size && (
          <span class="figure">
            {size.width} × {size.height}
          </span>
        )}
      </div>
      {beforeUrl !== undefined && (
        <img
          class="measured"
          src={beforeUrl}
          alt=""
          onLoad={({ currentTarget }) => setBeforeSize(sizeOf(currentTarget))}
        />
      )}
      {mode === "compare" && isComparable ? (
        <CompareView before={{ url: beforeUrl, ...beforeSize }} now={{ ...size, url }} />
      ) : (
        <ScrollRegion class={`canvas canvas-${mode}`} label="Captured picture">
          <img
            src={url}
            alt="The captured page"
            onLoad={({ currentTarget }) => setLoaded({ ...sizeOf(currentTarget), url })}
            onError={() => setBroken(true)}
          />
        </ScrollRegion>
      )}
    </div>
  );
}

function sizeOf({ naturalWidth, naturalHeight }: HTMLImageElement): Size {
  return { width: naturalWidth, height: naturalHeight };
}
