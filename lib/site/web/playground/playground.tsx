// The root component of the playground: form, source, code, and result of one request.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { publicBaseUrl } from "../service-address.ts";
import { storedKey, storeKey } from "./api-key.ts";
import { CodeView, CopyButton } from "./code-view.tsx";
import type { Contract } from "./contract.ts";
import { type PlaygroundAccount, signedInAccount } from "./credential.ts";
import { addToHistory, clearHistory, readHistory } from "./history.ts";
import { HistoryMenu } from "./history-menu.tsx";
import { KeyBar } from "./key-bar.tsx";
import { OptionForm, type Problems } from "./option-form.tsx";
import { typedOptions } from "./option-value.ts";
import { isChosenByHand, isTyped, type Preset } from "./presets.ts";
import {
  type Draft,
  draftFromOptions,
  initialDraft,
  type RequestOptions,
  requestOptions,
  withOption,
} from "./request-options.ts";
import { type Outcome, ResultView } from "./result-view.tsx";
import { type CaptureResponse, type RateLimit, sendCapture } from "./send-capture.ts";
import { readShareFragment, shareFragment } from "./share-link.ts";
import { SourceEditor, sourceLabels } from "./source-editor.tsx";

export function Playground({ contract }: { contract: Contract }) {
  const [draft, setDraft] = useState<Draft>(initialDraft);
  const [key, setKey] = useState(storedKey);
  const [isKept, setKept] = useState(() => storedKey() !== "");
  const [isKeyMissing, setKeyMissing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>({ state: "idle" });
  const [rateLimit, setRateLimit] = useState<RateLimit>();
  const [history, setHistory] = useState(() => readHistory(localStorage));
  const [account, setAccount] = useState<PlaygroundAccount>();
  const [captures, setCaptures] = useState(0);
  const [replaced, setReplaced] = useState<Replaced>();
  const running = useRef<AbortController | undefined>(undefined);

  useSharedDraft(contract, setDraft);
  useEffect(() => void signedInAccount().then(setAccount), []);
  const options = useMemo(() => requestOptions(draft), [draft]);
  const ownProblems = useMemo(() => contract.validate(options), [contract, options]);
  const problems = { ...responseProblems(outcome, options), ...ownProblems };
  const output = `capture.${contract.extension(options)}`;

  /** A change by the visitor, after which the draft that a preset replaced is gone for good. */
  const change = (next: Draft) => {
    setDraft(next);
    setReplaced(undefined);
  };
  const showField = useCallback((name: string) => {
    const field = document.getElementById(`option-${name}`);
    field?.closest("details")?.setAttribute("open", "");
    field?.scrollIntoView({ block: "center" });
    field?.focus();
  }, []);

  const capture = async (sent: RequestOptions) => {
    const credential = key === "" ? account && "session" : { apiKey: key };
    setKeyMissing(credential === undefined);
    if (credential === undefined) return document.getElementById("api-key")?.focus();
    const [invalid] = Object.keys(contract.validate(sent));
    if (invalid !== undefined) return showField(invalid);
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setOutcome({ state: "running", startedAt: performance.now() });
    showResult();
    const record = (status: number) =>
      setHistory((entries) =>
        addToHistory(
          entries,
          { options: sent, status, sentAt: Date.now() },
          { storage: localStorage, isSecret: contract.isSecret },
        ),
      );
    try {
      const response = await sendCapture(sent, credential, controller.signal);
      setCaptures((count) => count + 1);
      if (credential === "session" && response.status === 401) setAccount(undefined); // the session has ended
      setRateLimit(response.rateLimit);
      setOutcome({ state: "done", response, sent, fileName: `capture.${contract.extension(sent)}` });
      record(response.status);
    } catch (error) {
      if (controller !== running.current) return; // a later request took its place
      if (controller.signal.aborted) return setOutcome({ state: "idle" });
      setOutcome({
        state: "failed",
        error: {
          error: `The service didn’t respond: ${(error as Error).message}. Check that it runs, then try again.`,
        },
      });
      record(0);
    }
  };

  const applyPreset = ({ name, options: presetOptions, source, input }: Preset) => {
    const chosen = source ?? draft.source;
    const inputs = input === undefined ? draft.inputs : { ...draft.inputs, [chosen]: input };
    setDraft({ source: chosen, inputs, options: presetOptions });
    const parts = [
      ...(input !== undefined && isTyped(draft, chosen) ? [sourceLabels[chosen]] : []),
      ...(isChosenByHand(draft.options) ? ["options"] : []),
    ];
    // A second preset leaves what the first one replaced.
    if (parts.length > 0) setReplaced({ by: name, what: parts.join(" and "), draft });
  };

  const isRunning = outcome.state === "running";
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (!isRunning) void capture(options);
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
              <HistoryMenu
                entries={history}
                onChoose={(entry) => change(draftFromOptions(entry.options, draft))}
                onClear={() => {
                  clearHistory(localStorage);
                  setHistory([]);
                }}
              />
              <CopyButton label="Share" text={() => shareAddress(options, contract)} />
            </div>
          </div>
          <SourceEditor draft={draft} problems={problems} onChange={change} onPreset={applyPreset}>
            {replaced && <UndoNotice replaced={replaced} onUndo={() => change(replaced.draft)} />}
          </SourceEditor>
          <KeyBar
            apiKey={key}
            account={account}
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
          <ProblemSummary problems={ownProblems} onShowField={showField} />
        </section>
        <CodeView
          samples={contract.postSamples(options, { baseUrl: publicBaseUrl, output })}
          getSamples={contract.getSamples(options, { baseUrl: publicBaseUrl, output })}
        />
      </div>
      <ResultView outcome={outcome} onCancel={() => running.current?.abort()} onShowField={showField} />
      <OptionForm
        contract={contract}
        options={draft.options}
        problems={problems}
        onChange={(name, value) => {
          setDraft((current) => withOption(current, name, value));
          setReplaced(undefined);
        }}
        onReset={() => change({ ...draft, options: {} })}
      />
    </form>
  );
}

/** What a preset has replaced. */
interface Replaced {
  /** Name of the preset. */
  readonly by: string;
  /** In words. */
  readonly what: string;
  readonly draft: Draft;
}

function UndoNotice({ replaced, onUndo }: { readonly replaced: Replaced; readonly onUndo: () => void }) {
  return (
    <p class="undo" role="status">
      “{replaced.by}” replaced your {replaced.what}.{" "}
      <button type="button" onClick={onUndo}>
        Undo
      </button>
    </p>
  );
}

/** Shows what a share link holds, when the page opens and when its fragment changes. Never captures. */
function useSharedDraft(contract: Contract, setDraft: (draft: Draft) => void): void {
  useEffect(() => {
    const read = async () => {
      const shared = await readShareFragment(location.hash);
      if (shared) setDraft(draftFromOptions(typedOptions(shared, contract.reference)));
    };
    void read();
    const onChange = () => void read();
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, [contract, setDraft]);
}

/** Puts the link into the address bar, too, so that it can be copied there. */
async function shareAddress(options: RequestOptions, { isSecret }: Contract): Promise<string> {
  const address = new URL(location.href);
  address.hash = await shareFragment(options, isSecret);
  window.history.replaceState(null, "", address);
  return address.href;
}

function ProblemSummary({ problems, onShowField }: { problems: Problems; onShowField: (name: string) => void }) {
  const names = Object.keys(problems);
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

/** The messages of the last response, as long as its request is the one that is edited. */
function responseProblems(outcome: Outcome, options: RequestOptions): Problems {
  if (outcome.state !== "done" || !outcome.response.error) return {};
  if (JSON.stringify(outcome.sent) !== JSON.stringify(options)) return {};
  return errorFields(outcome.response, outcome.sent);
}

/** The messages that the error has for options; without any, an error of the page belongs to its address. */
function errorFields({ error }: CaptureResponse, sent: RequestOptions): Problems {
  const messages = Object.entries(error?.details ?? {}).filter(([, each]) => Array.isArray(each));
  const isOfPage = /^(URL_NOT_ALLOWED|TARGET_)/.test(error?.code ?? "") && "url" in sent;
  if (messages.length === 0 && error && isOfPage) return { url: [error.error] };
  return Object.fromEntries(messages) as Problems;
}

/** Where the result is below the request, as on a phone, it would appear out of sight. */
function showResult(): void {
  const result = document.querySelector(".result-pane");
  if (result && result.getBoundingClientRect().top > innerHeight / 2) result.scrollIntoView({ block: "start" });
}
