// How much of a limit is used, as a bar with words.
import { useId } from "preact/hooks";
import { formatCount } from "./format.ts";
import { Bar } from "./skeleton.tsx";

interface MeterProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
}

export function Meter({ label, used, limit }: MeterProps) {
  const id = useId();
  return (
    <div class="meter">
      <label for={id}>{label}</label>
      <span class="meter-figure">
        {formatCount(used)} of {formatCount(limit)}
      </span>
      <meter id={id} min={0} max={Math.max(1, limit)} high={limit * 0.8} optimum={0} value={Math.min(used, limit)}>
        {formatCount(used)} of {formatCount(limit)}
      </meter>
    </div>
  );
}

/** Stands for a meter that is read. */
export function MeterSkeleton() {
  return (
    <div class="meter">
      <Bar />
      <Bar size="m" />
      <span class="meter-empty" />
    </div>
  );
}
