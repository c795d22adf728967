// The rules, one for each problem that is found by looking at the page. To add a problem, add its rule here.
import type { ProblemRule } from "./problem-rule.ts";
import { blank } from "./rules/blank.ts";
import { cutOff } from "./rules/cut-off.ts";
import { errorPage } from "./rules/error-page.ts";
import { fontsMissing } from "./rules/fonts-missing.ts";
import { glyphsMissing } from "./rules/glyphs-missing.ts";
import { horizontalOverflow } from "./rules/horizontal-overflow.ts";
import { imagesMissing } from "./rules/images-missing.ts";
import { loginWall } from "./rules/login-wall.ts";
import { overlayLeft } from "./rules/overlay-left.ts";
import { pageError } from "./rules/page-error.ts";
import { stillLoading } from "./rules/still-loading.ts";

export const problemRules: readonly ProblemRule[] = [
  blank,
  errorPage,
  loginWall,
  pageError,
  stillLoading,
  overlayLeft,
  imagesMissing,
  cutOff,
  horizontalOverflow,
  fontsMissing,
  glyphsMissing,
];
