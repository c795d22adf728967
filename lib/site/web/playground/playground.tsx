// The root component of the playground: form, source, code, and result of one request.
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { publicBaseUrl } from "../service-address.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { storedKey, storeKey } from "./api-key.ts";
import { CodeView } from "./code-view.tsx";
import type { Contract } from "./contract.ts";
import { type Credential, type PlaygroundAccount, signedInAccount } from "./credential.ts";
import { type DraftHistory, edit, redo, replace, undo } from "./draft-history.ts";
import {
  addOutput,
  draftOutputs,
  optionsOfOutput,
  outputField,
  removeOutput,
  withOutputOption,
} from "./draft-outputs.ts";
import { addToHistory, clearHistory, readHistory } from "./history.ts";
import { HistoryMenu } from "./history-menu.tsx";
import { KeyBar } from "./key-bar.tsx";
import { type FieldErrors, OptionForm } from "./option-form.tsx";
import type { Outcome } from "./outcome.ts";
import { OutputsEditor } from "./outputs-editor.tsx";
import { isChosenByHand, isTyped, type Preset } from "./presets.ts";
import {
  type Draft,
  draftFromOptions,
  type RequestOptions,
  requestOptions,
  withCompleteAddress,
  withOption,
} from "./request-options.ts";
import { ResultView } from "./result-view.tsx";
import type { CaptureResponse } from "./send-capture.ts";
import { SourceEditor, sourceLabels } from "./source-editor.tsx";
import { useCaptureRun } from "./use-capture-run.ts";
import { useDraft } from "./use-draft.ts";

export function Playground({ contract }: { contract: Contract }) {
  const { history: drafts, change, share } = useDraft(contract);
  const { draft } = drafts;
  const [key, setKey] = useState(storedKey);
  const [isKept, setKept] = useState(() => storedKey() !== "");
  const [isKeyMissing, setKeyMissing] = useState(false);
  const [history, setHistory] = useState(() => readHistory());
  const [account, setAccount] = useState<PlaygroundAccount>();
  const [captures, setCaptures] = useState(0);

  useEffect(() => void signedInAccount().then(setAccount), []);
  const credential = useMemo<Credential | undefined>(
    () => (key !== "" ? { apiKey: key } : account && "session"),
    [key, account],
  );
  const { outcome, rateLimit, start, cancel } = useCaptureRun({
    contract,
    credential,
    onEnd: (sent, status) => {
      setCaptures((count) => count + 1);
      if (credential === "session" && status === 401) setAccount(undefined); // the session has ended
      setHistory((entries) => addToHistory(entries, { options: sent, status, sentAt: Date.now() }, contract.isSecret));
    },
  });
  const options = useMemo(() => requestOptions(draft), [draft]);
  const ownErrors = useMemo(() => contract.validate(options), [contract, options]);
  const fieldErrors = { ...responseErrors(outcome, options), ...ownErrors };
  const outputs = draftOutputs(draft);
  const [chosen, setChosen] = useState(0);
  const selected = Math.min(chosen, Math.max(0, outputs.length - 1));
  // The JSON with the links of several results is printed, and everything else is a file.
  const hasFile = outputs.length === 0 || options["response_type"] === "zip";
  const output = hasFile ? `capture.${contract.extension(options)}` : undefined;

  const showField = useCallback((name: string) => {
    const ofOutput = outputField(name);
    if (!ofOutput) return focusField(`option-${name}`);
    const { index, option } = ofOutput;
    setChosen(index);
    // After the form shows the options of that result.
    requestAnimationFrame(() => focusField(option === "name" ? `output-name-${index}` : `option-${option}`));
  }, []);

  const changeOption = (name: string, value: unknown) =>
    change((current) => {
      const isOfOutput = outputs.length > 0 && contract.isOwn(name);
      const next = isOfOutput
        ? withOutputOption(current.draft, selected, name, value)
        : withOption(current.draft, name, value);
      return edit(current, next);
    });

  const capture = () => {
    setKeyMissing(credential === undefined);
    if (credential === undefined) return document.getElementById("api-key")?.focus();
    const [invalid] = Object.keys(ownErrors);
    if (invalid !== undefined) return showField(invalid);
    change((current) => edit(current, withCompleteAddress(current.draft)));
    start(options, credential);
    showResult();
  };

  const applyPreset = ({ name, options: presetOptions, source, input }: Preset) => {
    const chosen = source ?? draft.source;
    const inputs = input === undefined ? draft.inputs : { ...draft.inputs, [chosen]: input };
    const parts = [
      ...(input !== undefined && isTyped(draft, chosen) ? [sourceLabels[chosen]] : []),
      ...(isChosenByHand(draft.options) ? ["options"] : []),
    ];
    const notice = parts.length > 0 ? `“${name}” replaced your ${parts.join(" and ")}.` : undefined;
    change((current) => replace(current, { source: chosen, inputs, options: presetOptions }, notice));
  };

  const isRunning = outcome.state === "running";
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (!isRunning) capture();
  };
  return (
    <form
      class="playground-grid"
      noValidate
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSubmit(event);
      }}
    >
      <div class="middle">
        <section class="pane request-pane" aria-labelledby="request-title">
          <div class="pane-head">
            <h2 id="request-title">Request</h2>
            <div class="pane-tools">
              <UndoButtons drafts={drafts} onUndo={() => change(undo)} onRedo={() => change(redo)} />
              <HistoryMenu
                entries={history}
                onChoose={({ options: sent }) =>
                  change((current) => replace(current, draftFromOptions(sent, current.draft)))
                }
                onClear={() => {
                  clearHistory();
                  setHistory([]);
                }}
              />
              <CopyButton text={share}>Share</CopyButton>
            </div>
          </div>
          <SourceEditor
            draft={draft}
            fieldErrors={fieldErrors}
            onChange={(next) => change((current) => edit(current, next))}
            onPreset={applyPreset}
          >
            {drafts.notice !== undefined && <UndoNotice text={drafts.notice} onUndo={() => change(undo)} />}
          </SourceEditor>
          <OutputsEditor
            outputs={outputs}
            formats={contract.formats}
            selected={selected}
            fieldErrors={fieldErrors}
            onAdd={() => {
              setChosen(Math.max(1, outputs.length));
              change((current) => replace(current, addOutput(current.draft, contract.isOwn)));
            }}
            onRemove={(index) => change((current) => replace(current, removeOutput(current.draft, index)))}
            onSelect={setChosen}
            onChange={(index, name, value) =>
              change((current) => edit(current, withOutputOption(current.draft, index, name, value)))
            }
          />
          <KeyBar
            apiKey={key}
            account={account}
            credential={credential}
            captures={captures}
            isKept={isKept}
            isMissing={isKeyMissing && key === ""}
            rateLimit={rateLimit}
            onChange={(next, keep) => {
              setKey(next);
              setKept(keep);
              storeKey(next, keep);
            }}
          />
          <button type="submit" class="button-primary capture-button" aria-disabled={isRunning}>
            {isRunning ? "Capturing …" : "Capture"}
          </button>
          <FieldErrorSummary fieldErrors={ownErrors} onShowField={showField} />
        </section>
        <CodeView
          samples={contract.postSamples(options, { baseUrl: publicBaseUrl, output })}
          getSamples={contract.getSamples(options, { baseUrl: publicBaseUrl, output })}
        />
      </div>
      <ResultView outcome={outcome} onCancel={cancel} onShowField={showField} />
      <OptionForm
        contract={contract}
        options={outputs.length > 0 ? optionsOfOutput(draft, selected) : draft.options}
        fieldErrors={errorsOfOutput(fieldErrors, selected)}
        outputName={outputs[selected]?.name}
        onChange={changeOption}
        onReset={() => change((current) => replace(current, { ...current.draft, options: {} }))}
      />
    </form>
  );
}

function UndoNotice({ text, onUndo }: { readonly text: string; readonly onUndo: () => void }) {
  return (
    <p class="undo" role="status">
      {text}{" "}
      <button type="button" onClick={onUndo}>
        Undo
      </button>
    </p>
  );
}

interface UndoButtonsProps {
  readonly drafts: DraftHistory;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** They are there before anything can be undone, so that nothing moves. */
function UndoButtons({ drafts: { past, future }, onUndo, onRedo }: UndoButtonsProps) {
  const button = (label: string, icon: string, steps: readonly Draft[], onClick: () => void) => (
    <button
      type="button"
      class="undo-button"
      aria-label={label}
      title={label}
      disabled={steps.length === 0}
      onClick={onClick}
    >
      <svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
        <path d={icon} />
      </svg>
    </button>
  );
  return (
    <>
      {button("Undo", "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11", past, onUndo)}
      {button("Redo", "m15 14 5-5-5-5M20 9H9.5a5.5 5.5 0 0 0 0 11H13", future, onRedo)}
    </>
  );
}

function FieldErrorSummary({
  fieldErrors,
  onShowField,
}: {
  fieldErrors: FieldErrors;
  onShowField: (name: string) => void;
}) {
  const names = Object.keys(fieldErrors);
  if (names.length === 0) return null;
  return (
    <p class="problem-summary">
      Fix{" "}
      {names.slice(0, 4).map((name) => (
        <button key={name} type="button" class="link" onClick={() => onShowField(name)}>
          {name}
        </button>
      ))}
      {names.length > 4 && ` and ${names.length - 4} more`} before you capture.
    </p>
  );
}

/** The errors of the request and of one result, under the names of the options. */
function errorsOfOutput(fieldErrors: FieldErrors, index: number): FieldErrors {
  return Object.fromEntries(
    Object.entries(fieldErrors).map(([name, messages]) => {
      const ofOutput = outputField(name);
      return [ofOutput?.index === index ? ofOutput.option : name, messages];
    }),
  );
}

function focusField(id: string): void {
  const field = document.getElementById(id);
  field?.closest("details")?.setAttribute("open", "");
  field?.scrollIntoView({ block: "center" });
  field?.focus();
}

/** The messages of the last response, as long as its request is the one that is edited. */
function responseErrors(outcome: Outcome, options: RequestOptions): FieldErrors {
  if (outcome.state !== "done" || !outcome.response.error) return {};
  if (JSON.stringify(outcome.sent) !== JSON.stringify(options)) return {};
  return errorFields(outcome.response, outcome.sent);
}

/** The messages that the error has for options; without any, an error of the page belongs to its address. */
function errorFields({ error }: CaptureResponse, sent: RequestOptions): FieldErrors {
  const messages = Object.entries(error?.details ?? {}).filter(([, each]) => Array.isArray(each));
  const isOfPage = /^(URL_NOT_ALLOWED|TARGET_)/.test(error?.code ?? "") && "url" in sent;
  if (messages.length === 0 && error && isOfPage) return { url: [error.error] };
  return Object.fromEntries(messages) as FieldErrors;
}

/** Where the result is below the request, as on a phone, it would appear out of sight. */
function showResult(): void {
  const result = document.querySelector(".result-pane");
  if (result && result.getBoundingClientRect().top > innerHeight / 2) result.scrollIntoView({ block: "start" });
}
