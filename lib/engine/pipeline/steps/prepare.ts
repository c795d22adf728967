// Steps before the page is asked for: the window, the visitor, and what goes along with requests.

import { setCookies } from "../../emulation/cookies.ts";
import { emulate } from "../../emulation/emulation.ts";
import { sendTargetHeaders } from "../../emulation/request-headers.ts";
import { prepareEncoderPage } from "../../outputs/video/web-codecs-encoder.ts";
import { recordPage } from "../../page/page-record.ts";
import { FrameScheduler } from "../../rendering/frame-scheduler.ts";
import type { Actions } from "./actions.ts";

export const prepareActions = {
  route: async ({ session }, { upstream }) => {
    session.proxy.routeThrough(upstream);
  },

  record: async (capturing, { wanted }) => {
    capturing.record = await recordPage(capturing.session, wanted);
  },

  emulate: async (capturing, { environment }) => {
    const { width, height, scale, mobile, screenMetrics: desk } = environment;
    capturing.window = { width, height, scale, mobile, ...(desk && { screenMetrics: desk }) };
    await emulate(capturing.session, environment);
  },

  "begin-painting": async (capturing, { framesPerSecond }) => {
    capturing.pump = new FrameScheduler(capturing.session.cdp, framesPerSecond);
  },

  "start-encoder": async (capturing) => {
    // It starts while the page loads; whoever encodes is told when it does not.
    capturing.encoder = capturing.launch({ painting: "continuous", isFilmed: false });
    capturing.encoder.then(prepareEncoderPage).catch(() => undefined);
  },

  "bypass-csp": async ({ session }) => {
    await session.cdp.send("Page.setBypassCSP", { enabled: true });
  },

  "send-headers": async ({ session }, { headers }) => {
    await sendTargetHeaders(session.cdp, headers);
  },

  "set-cookies": async ({ session }, { cookies, url }) => {
    await setCookies(session.cdp, cookies, url);
  },
} satisfies Actions;
