// What customers of a public service see of who runs it, judged as a finding.
import { type IdentitySetting, identitySettings, type OperatorIdentity } from "../../../contract/operator-identity.ts";
import { type DoctorFinding, ok, warning } from "./finding.ts";

/** Not `imprint`: only some countries require one. */
const EXPECTED = ["support", "terms", "privacy", "source"] as const satisfies readonly IdentitySetting[];

export interface ShownIdentity {
  /** Whether anyone can become a customer, or the service has a domain of its own. */
  readonly isPublic: boolean;
  /** The settings that have an address. */
  readonly shown: ReadonlySet<IdentitySetting>;
  /** How the missing ones are set: by variables of one machine, or in the stage of this name. */
  readonly stage: string | undefined;
}

/** A warning that names each address that customers of a public service don't find. */
export function judgeIdentity({ isPublic, shown, stage }: ShownIdentity): DoctorFinding {
  const missing = EXPECTED.filter((name) => !shown.has(name));
  if (!isPublic) return ok("the service is not public, so it needs no terms, privacy policy, or support");
  if (missing.length === 0) return ok("pages name support, terms, privacy policy, and source code");
  const names = missing.map((name) => (stage === undefined ? identitySettings[name].variable : name)).join(", ");
  return warning(
    `the service is public, and its pages name no ${missing.map((name) => described[name]).join(", no ")}`,
    `${stage === undefined ? `Set ${names}, and start the service again` : `Set ${names} in identity of the stage ${stage} in lib/infra/stages.ts, and deploy`}. ` +
      "docs/terms-template.md and docs/privacy-template.md are drafts.",
  );
}

const described = { support: "support", terms: "terms", privacy: "privacy policy", source: "source code" } as const;

/** The settings that have an address. */
export function settingsOf(identity: OperatorIdentity): ReadonlySet<IdentitySetting> {
  return new Set(Object.keys(identity) as IdentitySetting[]);
}

/** The settings that a service shows, from its `llms.txt`: a line for each. */
export function settingsIn(llmsText: string): ReadonlySet<IdentitySetting> {
  const names = Object.keys(identitySettings) as IdentitySetting[];
  return new Set(names.filter((name) => llmsText.includes(`\n- ${identitySettings[name].label}: `)));
}
