// The outlines of a list that is being read, at once: nothing moves when it arrives.

export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }) {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} class="skeleton-row" />
      ))}
    </div>
  );
}
