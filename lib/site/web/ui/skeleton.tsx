// The outlines of what is being read, at once and of the same size: nothing moves when it arrives.
import type { ComponentChildren } from "preact";

interface SkeletonProps {
  /** Says to screen readers what is being read. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** The outlines say nothing to screen readers, which are told once that something is being read. */
export function Skeleton({ label, children }: SkeletonProps) {
  return (
    <>
      <p class="visually-hidden" role="status">
        {label}
      </p>
      <div class="skeleton" aria-hidden="true">
        {children}
      </div>
    </>
  );
}

/** Stands for a text of one line. */
export function Bar({ size = "m" }: { readonly size?: "s" | "m" | "l" | "full" }) {
  return <span class={`bar bar-${size}`} />;
}

interface RowsProps {
  readonly rows: number;
  /** `row` for a row of a table, `card` for an entry of a list. */
  readonly kind?: "row" | "card";
}

/** Stands for the entries of a list. */
export function SkeletonRows({ rows, kind = "row" }: RowsProps) {
  return (
    <div class="skeleton-rows">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} class={`skeleton-${kind}`} />
      ))}
    </div>
  );
}

/** A list that is being read. */
export function ListSkeleton({ label, ...rows }: RowsProps & { readonly label: string }) {
  return (
    <Skeleton label={label}>
      <SkeletonRows {...rows} />
    </Skeleton>
  );
}
