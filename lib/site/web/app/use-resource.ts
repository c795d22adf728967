// Reads a resource of the API for a screen.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { RequestError, send } from "./api.ts";
import { navigateTo } from "./router.ts";

/** Nothing moves for answers that come sooner. */
const LOADING_DELAY_MS = 200;

export interface Loaded<Data> {
  /** The last answer, also while it is read again. */
  readonly data: Data | undefined;
  readonly error: RequestError | undefined;
  /** True once reading has taken a moment. */
  readonly isSlow: boolean;
  readonly reload: () => void;
  /** Reads again unless it is being read, which an impatient visitor must not delay. */
  readonly refresh: () => void;
}

/** Reads the JSON of a path, and again whenever the path changes. Reads nothing while `isWanted` is false. */
export function useResource<Data>(path: string, isWanted = true): Loaded<Data> {
  const [answer, setAnswer] = useState<{ readonly data?: Data; readonly error?: RequestError }>({});
  const [isSlow, setSlow] = useState(false);
  const [round, setRound] = useState(0);
  const isReading = useRef(false);
  useEffect(() => {
    if (!isWanted) {
      setAnswer({});
      return undefined;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => setSlow(true), LOADING_DELAY_MS);
    isReading.current = true;
    const finish = () => {
      isReading.current = false;
      clearTimeout(timer);
      setSlow(false);
    };
    send<Data>("GET", path, undefined, controller.signal).then(
      (data) => {
        finish();
        setAnswer({ data });
      },
      (error: unknown) => {
        finish();
        if (controller.signal.aborted || !(error instanceof RequestError)) return;
        if (error.status === 401)
          navigateTo("sign-in", { replace: true }); // the session has ended
        else setAnswer((last) => ({ ...last, error }));
      },
    );
    return () => {
      finish();
      controller.abort();
    };
  }, [path, isWanted, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  const refresh = useCallback(() => {
    if (!isReading.current) reload();
  }, [reload]);
  return { data: answer.data, error: answer.error, isSlow, reload, refresh };
}
