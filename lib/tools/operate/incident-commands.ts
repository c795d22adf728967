// The commands of `npm run incidents`: the incidents of the status page, which is published with each change.
import * as v from "valibot";
import type { AuditActor } from "../../service/operator/audit-log.ts";
import { auditWrites } from "../../service/operator/audited-change.ts";
import { readResult } from "../../service/results/result-store.ts";
import { componentIds } from "../../service/status/components.ts";
import {
  ComponentsSchema,
  type Incident,
  type IncidentImpact,
  incidentImpacts,
  TextSchema,
  TitleSchema,
} from "../../service/status/incident.ts";
import {
  changeIncident,
  IncidentNotChanged,
  listIncidents,
  openIncident,
} from "../../service/status/incident-store.ts";
import { statusKeys } from "../../service/status/status-objects.ts";
import { publishStatus } from "../../site/status/publish-status.ts";
import type { AccountResources } from "../local/cli/find-service.ts";
import { type CommandArguments, CommandUsageError, parseIdArgument, parseNameArgument } from "./arguments.ts";
import type { Command, CommandSet } from "./command-line.ts";

/** The context of a command. */
export interface IncidentCommandContext {
  /** Called when the options are valid. Rejects when the service is not found. */
  readonly storage: () => Promise<Pick<AccountResources, "activity" | "results">>;
  /** Public address of the service without a trailing slash. */
  readonly baseUrl: () => Promise<string>;
  readonly actor: AuditActor;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const impactUsage = `<${incidentImpacts.join("|")}>`;

const commands: Readonly<Record<string, Command<IncidentCommandContext>>> = {
  open: {
    usage: `--title <text> --text <text> --impact ${impactUsage} --components <${componentIds.join(",")}>`,
    run: async (args, context) => {
      const facts = {
        title: parseArgument(TitleSchema, args, "title"),
        text: parseArgument(TextSchema, args, "text"),
        impact: parseNameArgument(incidentImpacts, args, "impact"),
        components: parseArgument(ComponentsSchema, args, "components"),
      };
      const { activity: activityTable } = await context.storage();
      const { actor, now } = context;
      const incident = await openIncident(activityTable, facts, now, ({ id, impact }) =>
        auditWrites({ activityTable, actor, now }, { action: "incident.opened", details: { incident: id, impact } }),
      );
      return published(incident, context);
    },
  },
  update: {
    usage: `--incident <id> --text <text> [--impact ${impactUsage}] [--components <id,…>]`,
    run: (args, context) =>
      change(args, context, {
        closes: false,
        impact: args["impact"] === undefined ? undefined : parseNameArgument(incidentImpacts, args, "impact"),
        components: args["components"] === undefined ? undefined : parseArgument(ComponentsSchema, args, "components"),
      }),
  },
  close: {
    usage: "--incident <id> --text <text>",
    run: (args, context) => change(args, context, { closes: true }),
  },
  list: {
    usage: "",
    run: async (_, { storage }) => listIncidents((await storage()).activity),
  },
};

/** The commands of `npm run incidents`. */
export const incidentCommands: CommandSet<IncidentCommandContext> = { script: "incidents", commands };

interface Change {
  readonly closes: boolean;
  readonly impact?: IncidentImpact | undefined;
  readonly components?: Incident["components"] | undefined;
}

async function change(args: CommandArguments, context: IncidentCommandContext, changes: Change) {
  const id = parseIdArgument(args, "incident");
  const text = parseArgument(TextSchema, args, "text");
  const { activity: activityTable } = await context.storage();
  const { actor, now } = context;
  const action = changes.closes ? "incident.closed" : "incident.updated";
  const further = auditWrites({ activityTable, actor, now }, { action, details: { incident: id } });
  try {
    const incident = await changeIncident(activityTable, id, { text, ...changes }, { now, further });
    return await published(incident, context);
  } catch (error) {
    throw error instanceof IncidentNotChanged ? new CommandUsageError(error.message) : error;
  }
}

/**
 * Publishes the status page with a changed incident. `is_published` is false where the canary has never made the page, and makes it with its
 * next run.
 */
async function published(incident: Incident, { storage, baseUrl, now }: IncidentCommandContext) {
  const { activity, results } = await storage();
  const frame = await readResult(results, statusKeys.frame);
  if (frame) {
    const env = { ACTIVITY_TABLE: activity, RESULTS_BUCKET: results, BASE_URL: await baseUrl() };
    await publishStatus(env, frame.toString(), now);
  }
  return { ...incident, is_published: frame !== undefined };
}

/** Parses an option by a schema. Throws `CommandUsageError`. */
function parseArgument<Schema extends v.GenericSchema>(
  schema: Schema,
  args: CommandArguments,
  option: string,
): v.InferOutput<Schema> {
  const { [option]: value } = args;
  if (value === undefined) throw new CommandUsageError(`The option --${option} is missing.`);
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  throw new CommandUsageError(`--${option} ${parsed.issues[0].message}.`);
}
