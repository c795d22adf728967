// Forms, whose scripts send what the visitor has entered.
import type { InputHTMLAttributes } from "preact";

/** A handler of `submit` that calls a function in place of the browser's own request. */
export const handleSubmit = (send: () => unknown) => (event: Event) => {
  event.preventDefault();
  send();
};

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "class" | "onInput"> {
  readonly id: string;
  readonly label: string;
  /** True for a long text, such as an address. */
  readonly isWide?: boolean;
  readonly onText: (text: string) => void;
}

/** An input with its label. */
export function TextField({ id, label, isWide = false, onText, ...input }: TextFieldProps) {
  return (
    <div class={isWide ? "field field-wide" : "field"}>
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(input as InputHTMLAttributes)} // the union of types and roles is lost in the rest
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </div>
  );
}

interface SelectFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string | number;
  readonly options: readonly (readonly [value: string | number, text: string])[];
  readonly onChoose: (value: string) => void;
}

/** A choice with its label. */
export function SelectField({ id, label, value, options, onChoose }: SelectFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
