// The filters of a list: each applies by itself, and its value is part of the address. Where there is little room they are folded.
import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Below this width, the filters would fill the first screen. */
const NARROW = "(width < 48rem)";

interface Filter {
  readonly name: string;
  readonly field: ComponentChildren;
}

interface FiltersProps {
  /** Shown at any width. */
  readonly main: ComponentChildren;
  /** Shown where there is room. */
  readonly frequent: readonly Filter[];
  /** Folded, unless one of them is set. */
  readonly others: readonly Filter[];
  /** Names of the filters that are set. */
  readonly set: readonly string[];
  readonly onClear: () => void;
}

export function Filters({ main, frequent, others, set, onClear }: FiltersProps) {
  const isNarrow = useMedia(NARROW);
  const folded = isNarrow ? [...frequent, ...others] : others;
  const countSet = folded.filter(({ name }) => set.includes(name)).length;
  const [isOpen, setOpen] = useState(!isNarrow && countSet > 0);
  return (
    <form class="list-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <div class="filter-row">
        {main}
        {!isNarrow && <Fields filters={frequent} />}
      </div>
      <details class="filter-fold" open={isOpen} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
        <summary>
          {isNarrow ? "Filters" : "More filters"}
          {countSet > 0 && ` (${countSet})`}
        </summary>
        <div class="filter-row">
          <Fields filters={folded} />
        </div>
      </details>
      {set.length > 0 && (
        <button type="button" class="quiet clear-filters" onClick={onClear}>
          Clear filters
        </button>
      )}
    </form>
  );
}

function Fields({ filters }: { readonly filters: readonly Filter[] }) {
  return (
    <>
      {filters.map(({ name, field }) => (
        <Fragment key={name}>{field}</Fragment>
      ))}
    </>
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
  /**
   * Called while the visitor types. All that is typed until the field is left is one step of the history, which has no half of a word or
   * date: `isNewStep` is true for the first call alone.
   */
  readonly onChange: (value: string, isNewStep: boolean) => void;
}

/** Tells whether a change is the first one since the field got the focus. */
function useStep() {
  const isNew = useRef(true);
  return {
    begin: () => {
      isNew.current = true;
    },
    take: () => {
      const wasNew = isNew.current;
      isNew.current = false;
      return wasNew;
    },
  };
}

export function TextFilter({
  name,
  label,
  value,
  placeholder,
  onChange,
}: TypedFilterProps & { readonly placeholder: string }) {
  const input = useShownValue(value);
  const step = useStep();
  const { schedule, cancel } = useDebounce(apply, TEXT_PAUSE_MS);
  function apply() {
    cancel();
    const text = input.current?.value.trim() ?? "";
    if (text !== value) onChange(text, step.take());
  }
  const clear = () => {
    if (input.current) input.current.value = "";
    step.begin();
    apply();
    input.current?.focus();
  };
  return (
    <div class="field field-main">
      <label for={`filter-${name}`}>{label}</label>
      <div class="clearable">
        <input
          id={`filter-${name}`}
          ref={input}
          type="search"
          maxLength={500}
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          onFocus={step.begin}
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
  const step = useStep();
  const { schedule, cancel } = useDebounce(apply, DATE_PAUSE_MS);
  const isTyping = useRef(false);
  function apply() {
    cancel();
    const field = input.current;
    if (!field || field.value === value || field.validity.badInput) return;
    if (field.value !== "" && !PLAUSIBLE_DATE.test(field.value)) return;
    onChange(field.value, step.take());
  }
  return (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      <input
        id={`filter-${name}`}
        ref={input}
        type="date"
        onFocus={step.begin}
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
