// After an account was deleted: what went with it, and the way out.
import { useEffect } from "preact/hooks";
import { apiBaseUrl } from "../../service-address.ts";
import { forgetSession } from "../../session-hint.ts";
import { countText } from "../format.ts";
import { Heading } from "../heading.tsx";

export interface DeletionReport {
  readonly captures: number;
  readonly jobs: number;
  readonly results: number;
  readonly api_keys: number;
}

/** The report is in the state of the address; without one, the page says less. */
export function DeletedScreen() {
  const report: DeletionReport | null = history.state;
  useEffect(forgetSession, []);
  return (
    <div class="sign-in">
      <Heading>The account was deleted</Heading>
      {report && (
        <p>
          With it {countText(report.captures, "capture")} of the log, {countText(report.jobs, "asynchronous capture")},{" "}
          {countText(report.results, "stored result")}, and {countText(report.api_keys, "API key")}.
        </p>
      )}
      <p>Nothing brings it back. You can open another account with the same address, without a second free trial.</p>
      <p>
        <a class="button" href={`${apiBaseUrl}/`}>
          Go to the home page
        </a>
      </p>
    </div>
  );
}
