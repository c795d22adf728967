// All pages of the fixture site, by path.
import { adPages } from "./ads.ts";
import { answerPages } from "./answers.ts";
import { appShellPages } from "./app-shell.ts";
import { blankPages } from "./blank.ts";
import { bombPages } from "./bombs.ts";
import { wallPages } from "./bot-challenges.ts";
import { busyPages } from "./busy.ts";
import { consentPages } from "./consent/pages.ts";
import { countedPages } from "./counted.ts";
import { dialogPages } from "./dialogs.ts";
import { documentPages } from "./documents.ts";
import { fingerprintPages } from "./fingerprint.ts";
import { pinnedPages } from "./fixed-elements.ts";
import { fontPages } from "./fonts.ts";
import { hostilePages } from "./hostile.ts";
import { interactivePages } from "./interactive.ts";
import { latePages } from "./late.ts";
import { lazyPages } from "./lazy.ts";
import { motionPages } from "./motion.ts";
import type { Pages } from "./page.ts";
import { plainPages } from "./plain.ts";
import { scriptedPages } from "./scripted.ts";
import { shadowPages } from "./shadow.ts";
import { tallPages } from "./tall.ts";
import { tracePages } from "./traces.ts";
import { viewportPages } from "./viewport.ts";
import { visitorPages } from "./visitor.ts";
import { wayPages } from "./ways-out.ts";

export const pages: Pages = {
  ...plainPages,
  ...latePages,
  ...busyPages,
  ...answerPages,
  ...hostilePages,
  ...bombPages,
  ...wayPages,
  ...tallPages,
  ...viewportPages,
  ...pinnedPages,
  ...appShellPages,
  ...lazyPages,
  ...motionPages,
  ...fontPages,
  ...shadowPages,
  ...scriptedPages,
  ...interactivePages,
  ...documentPages,
  ...visitorPages,
  ...fingerprintPages,
  ...countedPages,
  ...adPages,
  ...consentPages,
  ...wallPages,
  ...dialogPages,
  ...blankPages,
  ...tracePages,
};
