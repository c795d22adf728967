// The gates of a local service: its functions reach DynamoDB, S3 and SQS with the permissions that their roles have on AWS.
import type { Endpoints } from "../../lib/tools/local/engines/engines.ts";
import { localAssembly } from "./local-assembly.ts";
import { dynamoDbCalls, s3AndSqsCalls, startPermissionGate } from "./permission-gate.ts";
import { type Permissions, readPermissions } from "./permissions.ts";

export interface PermissionGates {
  /** Writes the local assembly, whose policies the gates enforce. */
  readonly assembly: (folder: string) => Promise<string>;
  /** The variables that lead the functions through the gates. */
  readonly environment: (endpoints: Endpoints) => Readonly<Record<string, string>>;
  /** What was refused, one line each. */
  readonly refused: () => readonly string[];
  close(): Promise<void>;
}

export async function startPermissionGates(): Promise<PermissionGates> {
  let engines: Endpoints | undefined;
  let known: Permissions | undefined;
  const engine = (name: "dynamodb" | "s3") => () => engines?.[name] ?? "";
  const permissions = () => {
    if (!known) throw new Error("The assembly has not been read yet.");
    return known;
  };
  const [dynamodb, others] = await Promise.all([
    startPermissionGate({ engine: engine("dynamodb"), permissions, callsOf: dynamoDbCalls }),
    startPermissionGate({ engine: engine("s3"), permissions, callsOf: s3AndSqsCalls }),
  ]);
  return {
    async assembly(folder) {
      const assembly = await localAssembly(folder);
      known = await readPermissions(assembly, engines?.sqs ?? "");
      return assembly;
    },
    environment(endpoints) {
      engines = endpoints;
      return {
        AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
        AWS_ENDPOINT_URL_S3: others.endpoint,
        AWS_ENDPOINT_URL_SQS: others.endpoint,
      };
    },
    refused: () => [...dynamodb.refused, ...others.refused],
    async close() {
      await Promise.all([dynamodb.close(), others.close()]);
    },
  };
}
