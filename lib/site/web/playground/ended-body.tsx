// The body of a response: its error, the viewer of its result, or several results as tabs.
import { ErrorView } from "./error-view.tsx";
import type { Outcome } from "./outcome.ts";
import { OutputsView, outputsResult } from "./outputs-view.tsx";
import { ResultBody } from "./result-body.tsx";

interface EndedBodyProps {
  readonly outcome: Outcome & { readonly state: "done" };
  readonly onShowField: (name: string) => void;
}

export function EndedBody({ outcome, onShowField }: EndedBodyProps) {
  const { response } = outcome;
  const { error, status, body } = response;
  const outputs = outputsResult(response);
  if (outputs) return <OutputsView key={outputs.request_id} result={outputs} onShowField={onShowField} />;
  if (error) return <ErrorView error={error} onShowField={onShowField} />;
  if (body.size === 0) return <p class="idle">Status {status}: the response has headers only.</p>;
  return <ResultBody {...response} {...outcome} />;
}
