// Who runs the local service, from environment variables.
import { identityNames, identitySettings, parseIdentity } from "../../../contract/operator-identity.ts";
import { LocalServiceError } from "../local-service-error.ts";

/**
 * The variables of the operator's identity that are set, for the functions, as they are shown. Throws `LocalServiceError` for one that is no
 * address.
 */
export function readIdentity(
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const settings = Object.fromEntries(identityNames.map((name) => [name, variables[identitySettings[name].variable]]));
  try {
    const identity = parseIdentity(settings, (name) => identitySettings[name].variable);
    return Object.fromEntries(
      identityNames.flatMap((name) => {
        const address = identity[name];
        return address === undefined ? [] : [[identitySettings[name].variable, address]];
      }),
    );
  } catch (error) {
    throw new LocalServiceError((error as Error).message);
  }
}
