// The root component of the playground: the request with its options, its result, and its code.
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { publicBaseUrl } from "../service-address.ts";
import { storedKey, storeKey } from "./api-key.ts";
import { withOptions } from "./apply-fix.ts";
import { CodeView } from "./code-view.tsx";
import type { Contract } from "./contract.ts";
import { type Access, type Credential, initialAccess, signedInAccount } from "./credential.ts";
import { edit, redo, replace, undo } from "./draft-history.ts";
import {
  addOutput,
  draftOutputs,
  optionsOfOutput,
  outputField,
  removeOutput,
  withOutputOption,
} from "./draft-outputs.ts";
import type { Fix } from "./fix.ts";
import { addToHistory, clearHistory, readHistory } from "./history.ts";
import { KeyBar } from "./key-bar.tsx";
import { type FieldErrors, OptionForm } from "./option-form.tsx";
import type { Outcome } from "./outcome.ts";
import { OutputsEditor } from "./outputs-editor.tsx";
import { isChosenByHand, isTyped, type Preset } from "./presets.ts";
import {
  draftFromOptions,
  type RequestOptions,
  requestOptions,
  withCompleteAddress,
  withOption,
} from "./request-options.ts";
import { RequestTools } from "./request-tools.tsx";
import { ResultView } from "./result-view.tsx";
import type { CaptureResponse } from "./send-capture.ts";
import { SourceEditor, sourceLabels } from "./source-editor.tsx";
import { useCaptureParts } from "./use-capture-parts.ts";
import { useCaptureRun } from "./use-capture-run.ts";
import { useDraft } from "./use-draft.ts";

export function Playground({ contract }: { contract: Contract }) {
  const { history: drafts, change, share } = useDraft(contract);
  const { draft } = drafts;
  const [key, setKey] = useState(storedKey);
  const [isKept, setKept] = useState(() => storedKey() !== "");
  const [isKeyMissing, setKeyMissing] = useState(false);
  const [history, setHistory] = useState(() => readHistory());
  const [access, setAccess] = useState<Access>(initialAccess);
  const [captures, setCaptures] = useState(0);
  const [isCaptureWaiting, setCaptureWaiting] = useState(false);

  useEffect(() => void signedInAccount().then((account) => setAccess(account ?? "signed-out")), []);
  const isSignedIn = typeof access === "object";
  const credential = useMemo<Credential | undefined>(
    () => (key !== "" ? { apiKey: key } : isSignedIn ? "session" : undefined),
    [key, isSignedIn],
  );
  const { outcome, rateLimit, start, cancel } = useCaptureRun({
    contract,
    credential,
    onEnd: (sent, status) => {
      setCaptures((count) => count + 1);
      if (credential === "session" && status === 401) setAccess("signed-out"); // the session has ended
      setHistory((entries) => addToHistory(entries, { options: sent, status, sentAt: Date.now() }, contract.isSecret));
    },
  });
  const options = useMemo(() => requestOptions(draft), [draft]);
  const ownErrors = useMemo(() => contract.validate(options), [contract, options]);
  const hasErrors = Object.keys(ownErrors).length > 0;
  const parts = useCaptureParts(hasErrors);
  const fieldErrors = { ...responseErrors(outcome, options), ...ownErrors };
  const outputs = draftOutputs(draft);
  const [chosen, setChosen] = useState(0);
  const selected = Math.min(chosen, Math.max(0, outputs.length - 1));
  // The JSON with the links of several results is printed, and everything else is a file.
  const hasFile = outputs.length === 0 || options["response_type"] === "zip";
  const output = hasFile ? `capture.${contract.extension(options)}` : undefined;

  const [query, setQuery] = useState("");
  const showField = useCallback((name: string) => {
    const { index, option } = outputField(name) ?? { option: name };
    const id = option === "name" && index !== undefined ? `output-name-${index}` : `option-${option}`;
    if (index !== undefined) setChosen(index);
    if (!document.getElementById(id)) setQuery(""); // the search hides it
    // After the form shows the options of that result, or all.
    requestAnimationFrame(() => focusField(id));
  }, []);

  const changeOption = (name: string, value: unknown) =>
    change((current) => {
      const isOfOutput = outputs.length > 0 && contract.isOwn(name);
      const next = isOfOutput
        ? withOutputOption(current.draft, selected, name, value)
        : withOption(current.draft, name, value);
      return edit(current, next);
    });

  const capture = (sent = options) => {
    if (credential === undefined && access === "unknown") return setCaptureWaiting(true);
    setKeyMissing(credential === undefined);
    if (credential === undefined) return focusField("api-key");
    const [invalid] = Object.keys(contract.validate(sent));
    if (invalid !== undefined) return showField(invalid);
    change((current) => {
      const complete = withCompleteAddress(current.draft);
      return complete === current.draft ? current : edit(current, complete);
    });
    start(sent, credential);
    showResult();
  };

  // A capture that was wanted before the session was known.
  useEffect(() => {
    if (!isCaptureWaiting || access === "unknown") return;
    setCaptureWaiting(false);
    capture();
  });

  const withFix = (changed: RequestOptions, output?: number) =>
    withOptions(draft, changed, { isOwn: contract.isOwn, output });

  const applyFix = (fix: Fix, output?: number) => {
    if ("focus" in fix) return focusField(fix.focus === "source" ? `option-${draft.source}` : fix.focus);
    if (!("options" in fix)) return capture();
    const fixed = withFix(fix.options, output);
    change((current) => replace(current, fixed, `“${fix.label}” changed your request.`));
    capture(requestOptions(fixed));
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
      <section class="pane request-pane" aria-labelledby="request-title">
        <div class="pane-head">
          <h2 id="request-title">Request</h2>
          <RequestTools
            drafts={drafts}
            history={history}
            share={share}
            onUndo={() => change(undo)}
            onRedo={() => change(redo)}
            onChoose={({ options: sent }) =>
              change((current) => replace(current, draftFromOptions(sent, current.draft)))
            }
            onClear={() => {
              clearHistory();
              setHistory([]);
            }}
          />
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
        <OptionForm
          contract={contract}
          options={outputs.length > 0 ? optionsOfOutput(draft, selected) : draft.options}
          fieldErrors={errorsOfOutput(fieldErrors, selected)}
          outputName={outputs[selected]?.name}
          query={query}
          onQuery={setQuery}
          onChange={changeOption}
          onReset={() => change((current) => replace(current, { ...current.draft, options: {} }))}
        />
        <div class="request-foot">
          {hasErrors && typeof parts === "object" && (
            <parts.InvalidOptions
              fieldErrors={ownErrors}
              options={options}
              onShowField={showField}
              onFix={(fix) => "options" in fix && change((current) => replace(current, withFix(fix.options)))}
            />
          )}
          <KeyBar
            apiKey={key}
            access={access}
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
        </div>
      </section>
      <ResultView outcome={outcome} onCancel={cancel} onShowField={showField} onFix={applyFix} />
      <CodeView
        samples={contract.postSamples(options, { baseUrl: publicBaseUrl, output })}
        getSamples={contract.getSamples(options, { baseUrl: publicBaseUrl, output })}
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
  for (let fold = field?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  field?.scrollIntoView({ block: "center" });
  field?.focus();
}

/** The messages of the last response, as long as its request is the one that is edited. */
function responseErrors(outcome: Outcome, options: RequestOptions): FieldErrors {
  if (outcome.state !== "done" || !outcome.response.error) return {};
  if (JSON.stringify(outcome.sent) !== JSON.stringify(options)) return {};
  return errorFields(outcome.response, outcome.sent);
}

/** The messages that the error has for options; without any, an error of its address belongs to that. */
function errorFields({ error }: CaptureResponse, sent: RequestOptions): FieldErrors {
  const messages = Object.entries(error?.details ?? {}).filter(([, each]) => Array.isArray(each));
  const isOfPage =
    /^(URL_NOT_ALLOWED|TARGET_(NAME_NOT_RESOLVED|UNREACHABLE|TLS_ERROR))$/.test(error?.code ?? "") && "url" in sent;
  if (messages.length === 0 && error && isOfPage) return { url: [error.error] };
  return Object.fromEntries(messages) as FieldErrors;
}

/** Where the result is below the request, as on a phone, it would appear out of sight. */
function showResult(): void {
  const result = document.querySelector(".result-pane");
  if (result && result.getBoundingClientRect().top > innerHeight / 2) result.scrollIntoView({ block: "start" });
}
