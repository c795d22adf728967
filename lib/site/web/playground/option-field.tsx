// An option of the form: its name, its control, its help, and what the API says about its value.
import { useState } from "preact/hooks";
import { apiBaseUrl } from "../service-address.ts";
import { InlineCode } from "../shared/inline-code.tsx";
import { BreakableText } from "../ui/breakable-text.tsx";
import type { Contract, OptionReference } from "./contract.ts";
import { FieldInput } from "./field-input.tsx";
import { helpText, plainText } from "./help-text.ts";

interface OptionFieldProps {
  readonly option: OptionReference;
  readonly contract: Contract;
  readonly value: unknown;
  readonly messages: readonly string[] | undefined;
  /** True for a field whose help is closed as a whole; else its first sentence is shown. */
  readonly isCompact: boolean;
  readonly onChange: (value: unknown) => void;
}

export function OptionField({ option, contract, value, messages, isCompact, onChange }: OptionFieldProps) {
  const { name, description, defaultText, defaultValue } = option;
  const [isHelpOpen, setHelpOpen] = useState(false);
  const id = `option-${name}`;
  const isSet = value !== undefined;
  const { first, rest } = helpText(description);
  const change = (next: unknown) => onChange(next === defaultValue ? undefined : next);
  return (
    <div class={`field${isSet ? " is-set" : ""}${messages ? " is-bad" : ""}`} data-option={name}>
      <div class="field-head">
        <label for={id}>
          <BreakableText text={name} />
        </label>
        <button
          type="button"
          class="hint"
          aria-expanded={isHelpOpen}
          aria-controls={`${id}-help`}
          onClick={() => setHelpOpen(!isHelpOpen)}
        >
          <span aria-hidden="true">?</span>
          <span class="visually-hidden">Help for {name}</span>
        </button>
      </div>
      <FieldInput {...{ id, option, contract, value, onChange: change, isInvalid: messages !== undefined }} />
      {messages?.map((message) => (
        <p class="problem" id={`${id}-problem`} key={message}>
          <InlineCode text={capitalised(message)} />
        </p>
      ))}
      {/* A hidden text describes the control, too. */}
      <div class="help">
        <p id={`${id}-description`} hidden={isCompact && !isHelpOpen}>
          {first}
        </p>
        <p id={`${id}-help`} hidden={!isHelpOpen}>
          {rest}
          {defaultText !== undefined && defaultText !== "false" && (
            <span class="default"> Default: {plainText(defaultText)}.</span>
          )}{" "}
          <a href={`${apiBaseUrl}/docs/reference/options#${name}`} target="_blank" rel="noreferrer">
            Reference
          </a>
        </p>
      </div>
    </div>
  );
}

const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
