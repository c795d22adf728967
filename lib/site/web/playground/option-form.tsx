// The form over all options: those that most requests need, then all by task, and each by search.
import { useState } from "preact/hooks";
import type { Contract, OptionReference } from "./contract.ts";
import { OptionField } from "./option-field.tsx";
import { loadOtherWords, matchesQuery, type OtherWords } from "./option-search.ts";
import type { RequestOptions } from "./request-options.ts";

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

interface OptionFormProps {
  readonly contract: Contract;
  readonly options: RequestOptions;
  readonly fieldErrors: FieldErrors;
  readonly onChange: (name: string, value: unknown) => void;
  readonly onReset: () => void;
  /** What the visitor looks for; empty for all options by task. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Name of the result whose own options the form shows; undefined for a request of one result. */
  readonly outputName?: string | undefined;
}

export function OptionForm({ onReset, query, onQuery, ...props }: OptionFormProps) {
  const { contract, options } = props;
  const [otherWords, setOtherWords] = useState<OtherWords>();
  const changed = Object.keys(options).length;
  const loadWords = () => otherWords === undefined && void loadOtherWords().then(setOtherWords);
  return (
    <section class="options" aria-labelledby="options-title">
      <div class="options-head">
        <h3 id="options-title">Options</h3>
        {props.outputName !== undefined && <span class="owner">{props.outputName}</span>}
        <button type="button" class="quiet" onClick={onReset} disabled={changed === 0}>
          {changed === 0 ? "All at default" : `Reset ${changed}`}
        </button>
      </div>
      <input
        type="search"
        class="option-search"
        aria-label="Find an option"
        placeholder={`Find one of ${contract.reference.size} options`}
        value={query}
        onFocus={loadWords}
        onInput={(event) => onQuery(event.currentTarget.value)}
      />
      {query.trim() === "" ? (
        <OptionsByTask {...props} />
      ) : (
        <FoundOptions {...props} query={query} otherWords={otherWords} />
      )}
    </section>
  );
}

type FieldsProps = Omit<OptionFormProps, "onReset" | "query" | "onQuery">;

function OptionsByTask(props: FieldsProps) {
  const { contract, options, fieldErrors } = props;
  const common = contract.common(options);
  const groups = contract.groups.map((group) => ({
    ...group,
    options: group.options.filter((option) => !common.includes(option)),
  }));
  // Below the fold of a phone they would move the button to capture far away.
  const [wasOpened, setOpened] = useState(() => matchMedia("(width >= 64rem)").matches);
  const isInvalid = groups.some((group) => group.options.some(({ name }) => fieldErrors[name]));
  return (
    <>
      <Fields {...props} shown={common} isCompact />
      <details
        class="more-options"
        open={wasOpened || isInvalid}
        onToggle={(event) => setOpened(event.currentTarget.open)}
      >
        <summary>More options, by task</summary>
        {groups.map((group) => (
          <OptionGroup key={group.group} {...props} name={group.group} about={group.about} shown={group.options} />
        ))}
      </details>
    </>
  );
}

interface FoundOptionsProps extends FieldsProps {
  readonly query: string;
  readonly otherWords: OtherWords | undefined;
}

function FoundOptions({ query, otherWords, ...props }: FoundOptionsProps) {
  const found = props.contract.groups
    .flatMap(({ options }) => options)
    .filter((option) => matchesQuery(option, query, otherWords));
  if (found.length === 0) return <p class="empty">No option has these words. Try “cookie”, “margin”, or “scroll”.</p>;
  return <Fields {...props} shown={found} isCompact={false} />;
}

interface OptionGroupProps extends FieldsProps {
  readonly name: string;
  readonly about: string;
  readonly shown: readonly OptionReference[];
}

function OptionGroup({ name, about, shown, ...props }: OptionGroupProps) {
  const { contract, options, fieldErrors, outputName } = props;
  const changed = shown.filter((option) => options[option.name] !== undefined).length;
  const invalid = shown.filter((option) => fieldErrors[option.name]).length;
  const kinds = new Set(shown.map((option) => contract.otherKind(option, options)));
  const [kind] = kinds.size === 1 ? kinds : [];
  const [wasOpened, setOpened] = useState(false);
  const isOpen = wasOpened || invalid > 0;
  return (
    <details class="group" open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <span>{name}</span>
        {shown.some((option) => contract.isOwn(option.name)) && outputName !== undefined && (
          <span class="owner">{outputName}</span>
        )}
        {kind !== undefined && <span class="owner">for {kind}</span>}
        {invalid > 0 && <span class="count count-bad">{invalid} to fix</span>}
        {changed > 0 && <span class="count">{changed}</span>}
      </summary>
      {isOpen && (
        <>
          <p class="about">{about}</p>
          <Fields {...props} shown={shown} isCompact={false} />
        </>
      )}
    </details>
  );
}

interface ShownFieldsProps extends FieldsProps {
  readonly shown: readonly OptionReference[];
  readonly isCompact: boolean;
}

function Fields({ shown, isCompact, contract, options, fieldErrors, onChange }: ShownFieldsProps) {
  return (
    <div class={isCompact ? "fields fields-compact" : "fields"}>
      {shown.map((option) => (
        <OptionField
          key={option.name}
          option={option}
          contract={contract}
          value={options[option.name]}
          messages={fieldErrors[option.name]}
          isCompact={isCompact}
          onChange={(value) => onChange(option.name, value)}
        />
      ))}
    </div>
  );
}
