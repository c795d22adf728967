// What all screens have in common: their session can end, and the service can refuse their requests for some seconds. Both are shown once,
// above the screen, which keeps what it has.
import { createContext } from "preact";

export interface ScreenFrame {
  readonly endSession: () => void;
  /** Requests are sent again at this time, in milliseconds since 1970. */
  readonly pauseUntil: (time: number) => void;
}

/** Undefined outside of the screens: on the pages that need no session. */
export const FrameContext = createContext<ScreenFrame | undefined>(undefined);
