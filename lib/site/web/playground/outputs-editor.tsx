// The results of a request with several: their names and formats, and which of them the option form edits.

import { MAX_OUTPUTS } from "../../../contract/options/output-limits.ts";
import { InlineCode } from "../shared/inline-code.tsx";
import type { FieldErrors } from "./option-form.tsx";
import type { EditedOutput } from "./output-list.ts";

interface OutputsEditorProps {
  /** None for a request of one result. */
  readonly outputs: readonly EditedOutput[];
  readonly formats: readonly string[];
  /** The index of the result whose options the form shows. */
  readonly selected: number;
  readonly fieldErrors: FieldErrors;
  readonly onAdd: () => void;
  readonly onRemove: (index: number) => void;
  readonly onSelect: (index: number) => void;
  readonly onChange: (index: number, option: "name" | "format", value: string) => void;
}

export function OutputsEditor({ outputs, onAdd, ...props }: OutputsEditorProps) {
  const isFull = outputs.length >= MAX_OUTPUTS;
  return (
    <div class="outputs">
      {outputs.length > 0 && (
        <ol aria-label="Results">
          {outputs.map((output, index) => (
            <OutputRow key={index} {...props} output={output} index={index} />
          ))}
        </ol>
      )}
      {props.fieldErrors["outputs"] && (
        <p class="problem">
          <InlineCode text={props.fieldErrors["outputs"].join("; ")} />
        </p>
      )}
      <button type="button" aria-disabled={isFull} onClick={() => !isFull && onAdd()}>
        {isFull ? `At most ${MAX_OUTPUTS} results` : "Add another result"}
      </button>
    </div>
  );
}

type OutputRowProps = Omit<OutputsEditorProps, "outputs" | "onAdd"> & {
  readonly output: EditedOutput;
  readonly index: number;
};

function OutputRow({ output, index, formats, selected, fieldErrors, onRemove, onSelect, onChange }: OutputRowProps) {
  const { name, format = "png" } = output as { readonly name: string; readonly format?: string };
  const messages = fieldErrors[`outputs[${index}].name`];
  const number = index + 1;
  return (
    <li class={messages ? "is-bad" : ""}>
      <input
        type="text"
        id={`output-name-${index}`}
        aria-label={`Name of result ${number}`}
        aria-invalid={messages !== undefined}
        aria-describedby={`output-problem-${index}`}
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={(event) => onChange(index, "name", event.currentTarget.value)}
      />
      <select
        aria-label={`Format of result ${number}`}
        value={format}
        onChange={(event) => onChange(index, "format", event.currentTarget.value)}
      >
        {formats.map((each) => (
          <option key={each} value={each} selected={each === format}>
            {each}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-pressed={index === selected}
        aria-label={`Options of result ${number}`}
        onClick={() => onSelect(index)}
      >
        Options
      </button>
      <button type="button" aria-label={`Remove result ${number}`} title="Remove" onClick={() => onRemove(index)}>
        <span aria-hidden="true">×</span>
      </button>
      <p class="problem" id={`output-problem-${index}`}>
        {messages && <InlineCode text={messages.join("; ")} />}
      </p>
    </li>
  );
}
