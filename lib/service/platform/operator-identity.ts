// Who runs this service, as the environment of the function says it.
import {
  identityNames,
  identitySettings,
  type OperatorIdentity,
  reachOperator,
} from "../../contract/operator-identity.ts";
import { optionalVariable } from "./environment.ts";

/** The addresses that the operator has set. */
export function operatorIdentity(): OperatorIdentity {
  return Object.fromEntries(
    identityNames.flatMap((name) => {
      const address = optionalVariable(identitySettings[name].variable);
      return address === undefined ? [] : [[name, address]];
    }),
  );
}

/** The e-mail address or web address of the support; undefined where none is set. */
export function supportAddress(): string | undefined {
  return optionalVariable("SUPPORT");
}

/** What a customer does to reach the operator, in the middle of a sentence. */
export function askOperator(): string {
  return reachOperator(supportAddress());
}
