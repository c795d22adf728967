// Reads a resource of the API for a screen.
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import { RequestError } from "./api.ts";
import { FrameContext, useSend } from "./frame.ts";

/** Nothing moves for answers that come sooner. */
const LOADING_DELAY_MS = 200;

export interface Loaded<Data> {
  /** The last answer, also while it is read again, and while another path is read. */
  readonly data: Data | undefined;
  readonly error: RequestError | undefined;
  /** True once reading has taken a moment. */
  readonly isSlow: boolean;
  readonly reload: () => void;
  /** Reads again unless it is being read, which an impatient visitor must not delay. */
  readonly refresh: () => void;
}

interface Answer<Data> {
  /** Of the last request. */
  readonly path?: string;
  readonly data?: Data;
  readonly error?: RequestError;
}

/**
 * Reads the JSON of a path, and again whenever the path changes. Reads nothing while `isWanted` is false. An answer to another path is
 * dropped when a request fails. In a screen, the frame shows that the session has ended and that the service takes no requests for some
 * seconds, after which it reads again.
 */
export function useResource<Data>(path: string, isWanted = true): Loaded<Data> {
  const frame = useContext(FrameContext);
  const send = useSend();
  const [answer, setAnswer] = useState<Answer<Data>>({});
  const [isSlow, setSlow] = useState(false);
  const [round, setRound] = useState(0);
  const isReading = useRef(false);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  useEffect(() => {
    if (!isWanted) {
      setAnswer({});
      return undefined;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => setSlow(true), LOADING_DELAY_MS);
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    isReading.current = true;
    const finish = () => {
      isReading.current = false;
      clearTimeout(timer);
      setSlow(false);
    };
    send<Data>("GET", path, undefined, { signal: controller.signal }).then(
      (data) => {
        finish();
        setAnswer({ path, data });
      },
      (error: unknown) => {
        finish();
        if (controller.signal.aborted || !(error instanceof RequestError)) return;
        const retryAt = error.status === 429 ? error.retryAt : undefined;
        const isOfFrame = frame !== undefined && (error.status === 401 || retryAt !== undefined);
        setAnswer((last) => ({
          path,
          ...(last.path === path && last.data !== undefined && { data: last.data }),
          ...(!isOfFrame && { error }),
        }));
        if (error.status === 401) frame?.endSession();
        else if (frame && retryAt !== undefined) {
          frame.pauseUntil(retryAt);
          retryTimer = setTimeout(reload, retryAt - Date.now());
        }
      },
    );
    return () => {
      finish();
      clearTimeout(retryTimer);
      controller.abort();
    };
  }, [path, isWanted, round, frame]);
  const refresh = useCallback(() => {
    if (!isReading.current) reload();
  }, [reload]);
  return { data: answer.data, error: answer.error, isSlow, reload, refresh };
}
