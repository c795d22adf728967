// A choice of a few values. All of them are shown.

interface SegmentsProps<Value extends string> {
  readonly label: string;
  /** `unavailable` says why a value can't be chosen. */
  readonly options: readonly (readonly [value: Value, text: string, unavailable?: string | undefined])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function Segments<Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset class="segments" aria-label={label}>
      {options.map(([each, text, unavailable]) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          disabled={unavailable !== undefined}
          title={unavailable}
          onClick={() => onChange(each)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
