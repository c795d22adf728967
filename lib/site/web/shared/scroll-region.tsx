// A region that scrolls by itself, reachable by keyboard.
import type { ComponentChildren } from "preact";

interface ScrollRegionProps {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

export function ScrollRegion({ class: className, label, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari scrolls by keyboard only what has the focus
    <section class={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
