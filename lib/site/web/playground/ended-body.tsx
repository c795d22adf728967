// The body of a response: the viewer of its result, or several results as tabs.
import type { Fix } from "./fix.ts";
import type { Ended } from "./outcome.ts";
import { OutputsView, outputsResult } from "./outputs-view.tsx";
import { Problems } from "./problems-view.tsx";
import { ResultBody } from "./result-body.tsx";

interface EndedBodyProps {
  readonly outcome: Ended;
  readonly onShowField: (name: string) => void;
  /** `output` is the index of the result that the fix is for; undefined for the request. */
  readonly onFix: (fix: Fix, output?: number) => void;
}

export function EndedBody({ outcome, onShowField, onFix }: EndedBodyProps) {
  const { response, sent } = outcome;
  const { status, body } = response;
  const outputs = outputsResult(response);
  if (outputs) return <OutputsView key={outputs.request_id} result={outputs} {...{ sent, onShowField, onFix }} />;
  if (body.size === 0) return <p class="idle">Status {status}: the response has headers only.</p>;
  const { problems, quality } = response.state ?? {};
  return (
    <>
      {problems && <Problems problems={problems} quality={quality} onFix={onFix} />}
      <ResultBody {...response} {...outcome} />
    </>
  );
}
