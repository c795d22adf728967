// The form over all options, in the groups of the reference: searchable, each field with its description and its errors.
import { useEffect, useRef, useState } from "preact/hooks";
import { apiBaseUrl } from "../service-address.ts";
import type { Contract, OptionReference } from "./contract.ts";
import { editorFor, parseOptionValue, showValue } from "./option-value.ts";
import { type RequestOptions, withScheme } from "./request-options.ts";

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

interface OptionFormProps {
  readonly contract: Contract;
  readonly options: RequestOptions;
  readonly fieldErrors: FieldErrors;
  readonly onChange: (name: string, value: unknown) => void;
  readonly onReset: () => void;
  /** Name of the result whose own options the form shows; undefined for a request of one result. */
  readonly outputName?: string | undefined;
}

export function OptionForm({ contract, options, fieldErrors, onChange, onReset, outputName }: OptionFormProps) {
  const [query, setQuery] = useState("");
  const words = query
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  const changed = Object.keys(options).length;
  const groups = contract.groups
    .map((group) => ({ ...group, options: group.options.filter((option) => matches(option, words)) }))
    .filter((group) => group.options.length > 0);
  return (
    <section class="pane options-pane" aria-labelledby="options-title">
      <div class="pane-head">
        <h2 id="options-title">Options</h2>
        <button type="button" class="quiet" onClick={onReset} disabled={changed === 0}>
          {changed === 0 ? "All at default" : `Reset ${changed}`}
        </button>
      </div>
      <input
        type="search"
        class="option-search"
        aria-label="Filter options"
        placeholder={`Filter ${contract.reference.size} options`}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      {groups.map(({ group, about, options: shown }) => (
        <OptionGroup
          key={group}
          name={group}
          about={about}
          shown={shown}
          isFiltered={words.length > 0}
          outputName={shown.some(({ name }) => contract.isOwn(name)) ? outputName : undefined}
          {...{ contract, options, fieldErrors, onChange }}
        />
      ))}
      {groups.length === 0 && <p class="empty">No option has these words. Try “cookie”, “margin”, or “scroll”.</p>}
    </section>
  );
}

function matches({ name, description }: OptionReference, words: readonly string[]): boolean {
  const text = `${name.replaceAll("_", " ")} ${name} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

interface OptionGroupProps extends Pick<OptionFormProps, "contract" | "options" | "fieldErrors" | "onChange"> {
  readonly name: string;
  readonly about: string;
  readonly shown: readonly OptionReference[];
  readonly isFiltered: boolean;
  /** Name of the result that the options are for; undefined for those of the whole request. */
  readonly outputName: string | undefined;
}

function OptionGroup({ name, about, shown, isFiltered, outputName, ...props }: OptionGroupProps) {
  const { contract, options, fieldErrors, onChange } = props;
  const changed = shown.filter((option) => options[option.name] !== undefined).length;
  const invalid = shown.filter((option) => fieldErrors[option.name]).length;
  const [wasOpened, setOpened] = useState(name === "Output");
  const isOpen = wasOpened || isFiltered || invalid > 0;
  return (
    <details class="group" open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <span>{name}</span>
        {outputName !== undefined && <span class="owner">{outputName}</span>}
        {invalid > 0 && <span class="count count-bad">{invalid} to fix</span>}
        {changed > 0 && <span class="count">{changed}</span>}
      </summary>
      {isOpen && (
        <div class="fields">
          <p class="about">{about}</p>
          {shown.map((option) => (
            <OptionField
              key={option.name}
              option={option}
              contract={contract}
              value={options[option.name]}
              messages={fieldErrors[option.name]}
              onChange={(value) => onChange(option.name, value)}
            />
          ))}
        </div>
      )}
    </details>
  );
}

interface OptionFieldProps {
  readonly option: OptionReference;
  readonly contract: Contract;
  readonly value: unknown;
  readonly messages: readonly string[] | undefined;
  readonly onChange: (value: unknown) => void;
}

function OptionField({ option, contract, value, messages, onChange }: OptionFieldProps) {
  const { name, description, defaultText, defaultValue } = option;
  const id = `option-${name}`;
  const isSet = value !== undefined;
  const change = (next: unknown) => onChange(next === defaultValue ? undefined : next);
  return (
    <div class={`field${isSet ? " is-set" : ""}${messages ? " is-bad" : ""}`} data-option={name}>
      <div class="field-head">
        <label for={id}>{name}</label>
        <a class="hint" href={`${apiBaseUrl}/docs/reference/options#${name}`} target="_blank" rel="noreferrer">
          <span aria-hidden="true">?</span>
          <span class="visually-hidden">Reference of {name}</span>
        </a>
      </div>
      <FieldInput {...{ id, option, contract, value, onChange: change, isInvalid: messages !== undefined }} />
      {messages?.map((message) => (
        <p class="problem" id={`${id}-problem`} key={message}>
          {capitalised(message)}
        </p>
      ))}
      <p class="description" id={`${id}-description`}>
        {plainText(description)}
        {defaultText !== undefined && defaultText !== "false" && <span class="default"> Default: {defaultText}.</span>}
      </p>
    </div>
  );
}

const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Descriptions are Markdown with code and links only. */
const plainText = (markdown: string) => markdown.replaceAll("`", "").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");

interface FieldInputProps {
  readonly id: string;
  readonly option: OptionReference;
  readonly contract: Contract;
  readonly value: unknown;
  readonly isInvalid: boolean;
  readonly onChange: (value: unknown) => void;
}

function FieldInput({ id, option, contract, value, isInvalid, onChange }: FieldInputProps) {
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
        <option value="">{option.defaultText === undefined ? "Not set" : `Default: ${option.defaultText}`}</option>
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
        rows={editor.kind === "code" ? 4 : 2}
        spellcheck={false}
        placeholder={editor.kind === "lines" ? "One per line" : ""}
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
        placeholder={editor.kind === "number" ? editor.range : ""}
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
