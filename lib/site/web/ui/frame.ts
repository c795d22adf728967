// What all screens have in common: how their requests are sent, that their session can end, and that the service can refuse their requests
// for some seconds. The last two are shown once, above the screen, which keeps what it has.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Send, send } from "./api.ts";

export interface ScreenFrame {
  /** Rejects with a `RequestError` of status 401 when the session has ended. */
  readonly send: Send;
  readonly endSession: () => void;
  /** Requests are sent again at this time, in milliseconds since 1970. */
  readonly pauseUntil: (time: number) => void;
}

/** Undefined outside of the screens: on the pages that need no session. */
export const FrameContext = createContext<ScreenFrame | undefined>(undefined);

/** Returns how the screens of this page send their requests. */
export function useSend(): Send {
  return useContext(FrameContext)?.send ?? send;
}
