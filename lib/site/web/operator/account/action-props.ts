// What the dialog of each action with an account gets.
import type { AccountDetails } from "../answers.ts";

export interface ActionProps {
  readonly account: AccountDetails;
  /** Called with the account as the action has left it. */
  readonly onChanged: (account: AccountDetails) => void;
  readonly onClose: () => void;
}
