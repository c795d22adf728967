// Two pictures over each other with a divider: the one before on its left, the new one on its right.
import { useId, useState } from "preact/hooks";
import { ScrollRegion } from "../shared/scroll-region.tsx";

interface ComparedPicture {
  readonly url: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

interface CompareViewProps {
  readonly before: ComparedPicture;
  readonly now: ComparedPicture;
}

/** Pictures of different sizes have the same scale and the same top left corner. All lengths are attributes of SVG. */
export function CompareView({ before, now }: CompareViewProps) {
  const [percent, setPercent] = useState(50);
  const id = useId();
  const width = Math.max(before.width, now.width);
  const height = Math.max(before.height, now.height);
  const x = (width * percent) / 100;
  const moveTo = ({ buttons, currentTarget, clientX }: PointerEvent & { currentTarget: SVGSVGElement }) => {
    const { left, width: shownWidth } = currentTarget.getBoundingClientRect();
    if (buttons === 1) setPercent(Math.round(Math.min(1, Math.max(0, (clientX - left) / shownWidth)) * 100));
  };
  return (
    <div class="compare">
      <label class="compare-bar">
        <span>Before</span>
        <input
          type="range"
          min="0"
          max="100"
          value={percent}
          aria-label="Divider between the picture before and the new one"
          aria-valuetext={`${percent}% before, ${100 - percent}% new`}
          onInput={(event) => setPercent(Number(event.currentTarget.value))}
        />
        <span>Now</span>
      </label>
      <ScrollRegion class="canvas canvas-compare" label="Compared pictures">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label="The captured page before and now"
          onPointerDown={moveTo}
          onPointerMove={moveTo}
        >
          <defs>
            <clipPath id={`${id}-before`}>
              <rect x="0" y="0" width={x} height={height} />
            </clipPath>
            <clipPath id={`${id}-now`}>
              <rect x={x} y="0" width={width - x} height={height} />
            </clipPath>
          </defs>
          <Layer picture={before} clip={`${id}-before`} />
          <Layer picture={now} clip={`${id}-now`} />
          <line class="divider" x1={x} y1="0" x2={x} y2={height} />
        </svg>
      </ScrollRegion>
      {(before.width !== now.width || before.height !== now.height) && (
        <p class="note">
          Before: {before.width} × {before.height}. Now: {now.width} × {now.height}.
        </p>
      )}
    </div>
  );
}

function Layer({
  picture: { url, width, height },
  clip,
}: {
  readonly picture: ComparedPicture;
  readonly clip: string;
}) {
  return <image href={url} width={width} height={height} clip-path={`url(#${clip})`} />;
}
