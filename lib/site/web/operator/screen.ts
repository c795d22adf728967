// A screen of the operator's page.
import type { OperatorSession } from "./answers.ts";

export interface ScreenProps {
  readonly session: OperatorSession;
}
