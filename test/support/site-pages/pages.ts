// Every page of the fixture site, each named after what it does. Colours and places are part of the names' promise.
import { adPages } from "./ads.ts";
import { answerPages } from "./answers.ts";
import { appShellPages } from "./app-shell.ts";
import { blankPages } from "./blank.ts";
import { bombPages } from "./bombs.ts";
import { busyPages } from "./busy.ts";
import { consentPages } from "./consent/pages.ts";
import { countedPages } from "./counted.ts";
import { dialogPages } from "./dialogs.ts";
import { documentPages } from "./documents.ts";
import { fingerprintPages } from "./fingerprint.ts";
import { fontPages } from "./fonts.ts";
import { hostilePages } from "./hostile.ts";
import { interactivePages } from "./interactive.ts";
import { latePages } from "./late.ts";
import { lazyPages } from "./lazy.ts";
import { motionPages } from "./motion.ts";
import type { Pages } from "./page.ts";
import { pinnedPages } from "./pinned.ts";
import { plainPages } from "./plain.ts";
import { scriptedPages } from "./scripted.ts";
import { shadowPages } from "./shadow.ts";
import { tallPages } from "./tall.ts";
import { tracePages } from "./traces.ts";
import { viewportPages } from "./viewport.ts";
import { visitorPages } from "./visitor.ts";
import { wallPages } from "./walls.ts";
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
