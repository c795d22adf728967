// Every page of the fixture site, each named after what it does. Colours and places are part of the names' promise.
import { answerPages } from "./answers.ts";
import { busyPages } from "./busy.ts";
import { hostilePages } from "./hostile.ts";
import { latePages } from "./late.ts";
import type { Pages } from "./page.ts";
import { plainPages } from "./plain.ts";
import { wayPages } from "./ways-out.ts";

export const pages: Pages = {
  ...plainPages,
  ...latePages,
  ...busyPages,
  ...answerPages,
  ...hostilePages,
  ...wayPages,
};
