// While an account is deleted, and after: how far that is, what went with it, and the way out.
import { useEffect, useState } from "preact/hooks";
import { apiBaseUrl } from "../../service-address.ts";
import { forgetSession } from "../../session-hint.ts";
import { RequestError, send } from "../../ui/api.ts";
import { countText } from "../../ui/format.ts";
import { Heading } from "../../ui/heading.tsx";

/** The deletion of an account, which the service carries out by itself. */
export interface DeletionProgress {
  readonly id: string;
  readonly status: "running" | "finishing" | "done";
  /** In percent. */
  readonly progress: number;
  readonly deleted: {
    readonly captures: number;
    readonly jobs: number;
    readonly results: number;
    readonly api_keys: number;
  };
}

const LOOK_INTERVAL_MS = 1_000;

/** The deletion is in the state of the address; without one, the page says less. */
export function DeletedScreen() {
  const [deletion, setDeletion] = useState<DeletionProgress | null>(history.state);
  useEffect(forgetSession, []);
  useEffect(() => {
    if (deletion?.status !== "running") return undefined;
    const timer = setTimeout(async () => {
      try {
        const next = await send<DeletionProgress>("GET", `/session/account/deletions/${deletion.id}`);
        history.replaceState(next, ""); // for a reload
        setDeletion(next);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        setDeletion({ ...deletion });
      }
    }, LOOK_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [deletion]);
  const isRunning = deletion?.status === "running";
  return (
    <div class="sign-in">
      <Heading>{isRunning ? "The account is being deleted" : "The account was deleted"}</Heading>
      {deletion && (
        <p role="status">
          {isRunning ? (
            `${deletion.progress} % done. All API keys have stopped working, and all browsers are signed out.`
          ) : (
            <>
              With it {countText(deletion.deleted.captures, "capture")} of the log,{" "}
              {countText(deletion.deleted.jobs, "asynchronous capture")},{" "}
              {countText(deletion.deleted.results, "stored result")}, and{" "}
              {countText(deletion.deleted.api_keys, "API key")}.
            </>
          )}
        </p>
      )}
      {isRunning && (
        <p>
          You can close this page. The deletion goes on, and its end is reported to the account’s address if the service
          sends mail.
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
