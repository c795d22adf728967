// Several results of one page as tabs, each with its facts, its problems, and its viewer, or with the error of one that failed.
import { useState } from "preact/hooks";
import type { CaptureStateOutput, OutputsResult } from "../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../service-address.ts";
import { parseJson } from "../shared/parse-json.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { loadResult } from "./async-capture.ts";
import { optionsOfOutput } from "./draft-outputs.ts";
import { ErrorView } from "./error-view.tsx";
import type { Fix } from "./fix.ts";
import type { ApplyFix } from "./fix-buttons.tsx";
import { formatSize } from "./format.ts";
import { measurePicture } from "./picture-size.ts";
import { Problems, Warning } from "./problems-view.tsx";
import type { RequestOptions } from "./request-options.ts";
import { ResultBody } from "./result-body.tsx";
import { type CaptureResponse, isTextType } from "./send-capture.ts";
import { Tabs } from "./tabs.tsx";

/** A response with several results, or the state of a capture with several. */
type ShownOutputs = Pick<OutputsResult, "request_id" | "loads" | "from_cache"> & {
  readonly outputs: readonly CaptureStateOutput[];
};

/** The results of a response with several; undefined for other responses. */
export function outputsResult({ type, text }: CaptureResponse): ShownOutputs | undefined {
  if (type !== "application/json" || text === undefined) return undefined;
  const result = parseJson(text) as (ShownOutputs & { readonly billed?: unknown }) | null | undefined;
  return Array.isArray(result?.outputs) && result.billed ? result : undefined;
}

interface OutputsViewProps {
  readonly result: ShownOutputs;
  /** The options of the request. */
  readonly sent: RequestOptions;
  readonly onShowField: (name: string) => void;
  readonly onFix: (fix: Fix, output: number) => void;
}

export function OutputsView({ result, sent, onShowField, onFix }: OutputsViewProps) {
  const { outputs, loads, from_cache } = result;
  const [selected, setSelected] = useState(0);
  const output = outputs[selected];
  return (
    <>
      <p class="facts">
        <span>{plural(outputs.length, "result")}</span>
        <span>{from_cache ? "from the cache" : plural(loads, "load")}</span>
      </p>
      <Tabs
        label="Results"
        tabs={outputs.map((each) => ({ id: each.name, label: <TabLabel output={each} /> }))}
        selected={selected}
        onSelect={setSelected}
      >
        {output?.error ? (
          <ErrorView
            error={{ ...output.error, docs: `${apiBaseUrl}/docs/errors#${output.error.code}` }}
            sent={optionsOfOutput({ options: sent }, selected)}
            onShowField={(name) => onShowField(`outputs[${selected}].${name}`)}
            onFix={(fix) => onFix(fix, selected)}
          />
        ) : (
          output && <OutputPanel key={output.name} output={output} onFix={(fix) => onFix(fix, selected)} />
        )}
      </Tabs>
    </>
  );
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function TabLabel({ output: { name, error } }: { readonly output: CaptureStateOutput }) {
  return (
    <>
      {name}
      {error && <span class="status status-bad"> failed</span>}
    </>
  );
}

interface OutputPanelProps {
  readonly output: CaptureStateOutput;
  readonly onFix: ApplyFix;
}

function OutputPanel({ output, onFix }: OutputPanelProps) {
  const { url, mime_type, file_size_bytes = 0, width, height, pages, quality, problems, warnings } = output;
  const type = mime_type?.split(";")[0] ?? "";
  const loaded = useLoaded(async () => (await loadOutput(output, type)) ?? "unavailable", [url, type]).value;
  return (
    <>
      <p class="facts">
        <span>{type}</span>
        <span>{formatSize(file_size_bytes)}</span>
        {width !== undefined && (
          <span>
            {width} × {height}
          </span>
        )}
        {pages !== undefined && <span>{plural(pages, "page")}</span>}
        {typeof url === "string" && (
          <a href={url} target="_blank" rel="noreferrer">
            Open the result
          </a>
        )}
      </p>
      {problems !== undefined && <Problems problems={problems} quality={quality} onFix={onFix} />}
      {warnings !== undefined && <Warning text={warnings.join(" ")} />}
      {loaded === undefined && <p class="idle">Loading the result …</p>}
      {loaded === "unavailable" && (
        <p class="idle">
          {typeof url === "string"
            ? "This page can’t load the result. Open its link instead."
            : `The result is gone: it was ${output.unavailable_reason}.`}
        </p>
      )}
      {typeof loaded === "object" && <ResultBody {...loaded} type={type} fileName={fileName(output)} />}
    </>
  );
}

/** The name of the output with the extension of the stored file. */
function fileName({ name, url }: CaptureStateOutput): string {
  const [extension] = /\.\w+$/.exec(new URL(url ?? "", apiBaseUrl || location.href).pathname) ?? [""];
  return `${name}${extension}`;
}

/** Undefined for a result that this page can't load. */
async function loadOutput({ url }: CaptureStateOutput, type: string) {
  const body = await loadResult(url);
  if (!body) return undefined;
  const text = isTextType(type) ? await body.text() : undefined;
  const size = type.startsWith("image/") ? await measurePicture(body) : undefined;
  return { body, text, size };
}
