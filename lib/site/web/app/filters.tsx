// The filters of a list: each applies by itself, and its value is part of the address. On a narrow screen they are folded.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Below this width, the filters would fill the first screen. */
const NARROW = "(width < 48rem)";

interface FiltersProps {
  /** Filters that are set. */
  readonly count: number;
  readonly children: ComponentChildren;
}

export function Filters({ count, children }: FiltersProps) {
  const isNarrow = useMedia(NARROW);
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="filter-fold"
      open={!isNarrow || isOpen}
      onToggle={({ currentTarget: { open } }) => isNarrow && setOpen(open)}
    >
      <summary>Filters{count > 0 && ` (${count})`}</summary>
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </details>
  );
}

function useMedia(query: string): boolean {
  const [isMatching, setMatching] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setMatching(media.matches);
    update();
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return isMatching;
}

interface FilterProps {
  readonly name: string;
  readonly label: string;
  /** The value in the address; empty for none. */
  readonly value: string;
}

interface SelectFilterProps extends FilterProps {
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

export function SelectFilter({ name, label, value, options, onChange }: SelectFilterProps) {
  return (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">All</option>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Shows a value of the address in a field that is otherwise left to the visitor, who may be typing. */
function useShownValue(value: string) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current && input.current.value.trim() !== value) input.current.value = value;
  }, [value]);
  return input;
}

/** Calls `apply` of the last rendering once nothing has been scheduled for a while. */
function useDebounce(apply: () => void, delayMs: number) {
  const latest = useRef(apply);
  latest.current = apply;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => cancel, []);
  const schedule = () => {
    cancel();
    timer.current = setTimeout(() => latest.current(), delayMs);
  };
  return { schedule, cancel };
}

const TEXT_PAUSE_MS = 300;

interface TypedFilterProps extends FilterProps {
  /** Called while the visitor types: the address is to be replaced, so that the history has no half of a word or date. */
  readonly onChange: (value: string) => void;
}

export function TextFilter({ name, label, value, onChange }: TypedFilterProps) {
  const input = useShownValue(value);
  const { schedule, cancel } = useDebounce(apply, TEXT_PAUSE_MS);
  function apply() {
    cancel();
    const text = input.current?.value.trim() ?? "";
    if (text !== value) onChange(text);
  }
  const clear = () => {
    if (input.current) input.current.value = "";
    apply();
    input.current?.focus();
  };
  return (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      <div class="clearable">
        <input
          id={`filter-${name}`}
          ref={input}
          type="search"
          maxLength={500}
          autocomplete="off"
          spellcheck={false}
          onInput={schedule}
          onKeyDown={(event) => event.key === "Enter" && apply()}
        />
        {value !== "" && (
          <button type="button" class="quiet" onClick={clear}>
            Clear<span class="visually-hidden"> {label}</span>
          </button>
        )}
      </div>
    </div>
  );
}

/** A year is typed digit by digit: 2026 is 0002 first, which is a complete date for the browser. */
const PLAUSIBLE_DATE = /^20\d\d-\d\d-\d\d$/;
const DATE_PAUSE_MS = 700;

export function DateFilter({ name, label, value, onChange }: TypedFilterProps) {
  const input = useShownValue(value);
  const { schedule, cancel } = useDebounce(apply, DATE_PAUSE_MS);
  const isTyping = useRef(false);
  function apply() {
    cancel();
    const field = input.current;
    if (!field || field.value === value || field.validity.badInput) return;
    if (field.value !== "" && !PLAUSIBLE_DATE.test(field.value)) return;
    onChange(field.value);
  }
  return (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      <input
        id={`filter-${name}`}
        ref={input}
        type="date"
        onPointerDown={() => {
          isTyping.current = false;
        }}
        onKeyDown={(event) => {
          isTyping.current = true;
          if (event.key === "Enter") apply();
        }}
        onInput={() => (isTyping.current ? schedule() : apply())}
        onBlur={apply}
      />
    </div>
  );
}
