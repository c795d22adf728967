// What went wrong with a capture, and what to do about it: its error, the problems of its result, and its warnings.
import { Fragment } from "preact";
import type { CaptureDetails, ErrorCode, Problem } from "../../../../../clients/typescript/src/generated/types.ts";
import { errorFixes } from "../../../../contract/errors/error-fixes.ts";
import { problemKinds } from "../../../../contract/problems/problem-kinds.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { InlineCode } from "../../shared/inline-code.tsx";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { type Options, openInPlayground } from "./capture-options.ts";

interface CaptureErrorProps {
  readonly code: string;
  readonly message: string;
}

export function CaptureError({ code, message }: CaptureErrorProps) {
  const fix = Object.hasOwn(errorFixes, code) ? errorFixes[code as ErrorCode] : undefined;
  return (
    <section class="capture-error">
      <h2>
        <BreakableText text={code} />
      </h2>
      <p class="capture-error-message">{message}</p>
      {fix !== undefined && (
        <p>
          <strong>What to do:</strong> <InlineCode text={fix} />
        </p>
      )}
      <p class="note">
        Nothing was billed.{" "}
        <a href={`${apiBaseUrl}/docs/errors#${encodeURIComponent(code)}`}>How to fix it, in the documentation</a>
      </p>
    </section>
  );
}

interface ProblemsProps {
  readonly problems: CaptureDetails["problems"];
  readonly options: Options;
}

export function Problems({ problems, options }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <section>
      <h2>What looks wrong</h2>
      <ul class="plain-list capture-problems">
        {problems.map((problem) => (
          <ProblemItem key={problem.code} problem={problem} options={options} />
        ))}
      </ul>
      <p class="note">
        <a href={`${apiBaseUrl}/docs/guide/problems`}>What problems are, and how a capture repairs or refuses them</a>
      </p>
    </section>
  );
}

function ProblemItem({ problem, options }: { readonly problem: Problem; readonly options: Options }) {
  const { code, severity, message, fix, evidence } = problem;
  const seen = [evidence.selector, evidence.text, ...(evidence.urls ?? [])].filter((each) => each !== undefined);
  return (
    <li class={`capture-problem problem-${severity}`}>
      <p>
        <strong>
          <BreakableText text={code} />
        </strong>{" "}
        <span class="badge">{severity}</span>
      </p>
      <p>{message}</p>
      <p class="note">
        <InlineCode text={problemKinds[code].meaning} />
      </p>
      {seen.length > 0 && (
        <p class="note">
          Seen:{" "}
          {seen.map((each, index) => (
            <Fragment key={each}>
              {index > 0 && ", "}
              <code>{each}</code>
            </Fragment>
          ))}
        </p>
      )}
      {fix !== null && (
        <p>
          Try <code>{JSON.stringify(fix)}</code>{" "}
          <button type="button" class="link" onClick={() => void openInPlayground({ ...options, ...fix })}>
            in the playground
          </button>
        </p>
      )}
    </li>
  );
}

export function Warnings({ warnings }: Pick<CaptureDetails, "warnings">) {
  if (warnings.length === 0) return null;
  return (
    <section>
      <h2>Warnings</h2>
      <ul class="plain-list">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </section>
  );
}
