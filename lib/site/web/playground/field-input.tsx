// The control of an option by the kind of its value: a switch, a choice, a number, a text, or several lines.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Contract, OptionReference } from "./contract.ts";
import { editorFor, parseOptionValue, showValue } from "./option-value.ts";
import { withScheme } from "./request-options.ts";

interface FieldInputProps {
  readonly id: string;
  readonly option: OptionReference;
  readonly contract: Contract;
  readonly value: unknown;
  readonly isInvalid: boolean;
  readonly onChange: (value: unknown) => void;
}

export function FieldInput({ id, option, contract, value, isInvalid, onChange }: FieldInputProps) {
  const editor = editorFor(option);
  const [text, setText] = useState(() => showValue(option, value));
  const sent = useRef(value);
  // A preset, a link, or the history changed the value: show it. While typing, the text stays as it was typed.
  useEffect(() => {
    if (JSON.stringify(value) === JSON.stringify(sent.current)) return;
    sent.current = value;
    setText(showValue(option, value));
  }, [value, option]);
  const change = (next: string) => {
    setText(next);
    const read = parseOptionValue(option, next);
    sent.current = read === option.defaultValue ? undefined : read;
    onChange(read);
  };
  const shared = {
    id,
    "aria-invalid": isInvalid,
    "aria-describedby": `${isInvalid ? `${id}-problem ` : ""}${id}-description`,
  };
  if (editor.kind === "switch" && option.defaultValue === false) {
    return (
      <input
        {...shared}
        type="checkbox"
        class="switch"
        role="switch"
        aria-checked={value === true}
        checked={value === true}
        onChange={(event) => change(String(event.currentTarget.checked))}
      />
    );
  }
  if (editor.kind === "switch" || editor.kind === "choice") {
    const values = editor.kind === "switch" ? ["true", "false"] : editor.values;
    return (
      <select {...shared} value={text} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">{defaultChoice(option)}</option>
        {values.map((each) => (
          <option key={each} value={each} selected={each === text}>
            {each}
          </option>
        ))}
      </select>
    );
  }
  if (editor.kind === "lines" || editor.kind === "code") {
    return (
      <textarea
        {...shared}
        class={editor.kind === "code" ? "code-editor" : ""}
        rows={editor.kind === "code" ? 4 : 1}
        spellcheck={false}
        placeholder={editor.kind === "lines" ? (shortDefault(option) ?? "One per line") : ""}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
    );
  }
  const hasDevices = option.name === "viewport_device";
  return (
    <>
      <input
        {...shared}
        type="text"
        inputmode={editor.kind === "number" ? "decimal" : undefined}
        placeholder={shortDefault(option) ?? (editor.kind === "number" ? editor.range : "")}
        list={hasDevices ? "devices" : undefined}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onChange={(event) => option.jsonSchema["format"] === "uri" && change(withScheme(event.currentTarget.value))}
      />
      {hasDevices && (
        <datalist id="devices">
          {contract.deviceNames.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Longer ones would be cut off in a field, and in a choice, which has more to show. */
const MAX_DEFAULT_CHARACTERS = 14;
const MAX_CHOICE_CHARACTERS = 7;

/** The default as a field shows it; undefined for one that takes a sentence, which the help has. */
function shortDefault({ defaultText }: OptionReference): string | undefined {
  return defaultText !== undefined && defaultText.length <= MAX_DEFAULT_CHARACTERS ? defaultText : undefined;
}

function defaultChoice(option: OptionReference): string {
  const text = shortDefault(option);
  if (text !== undefined && text.length <= MAX_CHOICE_CHARACTERS) return `Default: ${text}`;
  return option.defaultText === undefined ? "Not set" : "Default";
}
