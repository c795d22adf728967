// Tabs with their panel, by the pattern of WAI-ARIA: arrow keys, Home, and End move between tabs, which show their panel at once.
// https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

export interface Tab {
  readonly id: string;
  readonly label: ComponentChildren;
}

interface TabsProps {
  /** What the tabs are about, for assistive technology. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  /** The panel of the selected tab. */
  readonly children: ComponentChildren;
}

export function Tabs({ label, tabs, selected, onSelect, children }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const tabId = (index: number) => `${id}-tab-${tabs[index]?.id}`;
  const move = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, selected, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={tabId(index)}
            aria-selected={index === selected}
            aria-controls={`${id}-panel`}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => onSelect(index)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the pattern makes a panel focusable, whose content may not be */}
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={tabId(selected)} tabIndex={0}>
        {children}
      </div>
    </>
  );
}

/** The tab to which a key leads; undefined for other keys. */
function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
