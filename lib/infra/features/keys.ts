// `/api/v1/keys`: lists, creates, changes, revokes and rotates the API keys of an account.
import type { Construct } from "constructs";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import type { FeatureProps } from "./feature-props.ts";

type KeysProps = FeatureProps<"accounts" | "usage" | "activity">;

/** A function that reads and changes API keys. */
class KeyManagementFunction extends AuthenticatedFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, file, data }: Pick<KeysProps, "stage" | "data"> & { file: "keys" | "key" | "key-rotation" },
  ) {
    super(scope, id, { stage, file, data });
    data.accounts.grantManageKeys(this);
    data.usage.grantReadRequests(this);
  }
}

/** `GET|POST /api/v1/keys` */
export class KeysFunction extends KeyManagementFunction {
  constructor(scope: Construct, id: string, { stage, data }: KeysProps) {
    super(scope, id, { stage, file: "keys", data });
    data.activity.grantRepeatResponses(this);
  }
}

/** `GET|PATCH|DELETE /api/v1/keys/{id}` */
export class KeyFunction extends KeyManagementFunction {
  constructor(scope: Construct, id: string, { stage, data }: KeysProps) {
    super(scope, id, { stage, file: "key", data });
  }
}

/** `POST /api/v1/keys/{id}/rotate` */
export class KeyRotationFunction extends KeyManagementFunction {
  constructor(scope: Construct, id: string, { stage, data }: KeysProps) {
    super(scope, id, { stage, file: "key-rotation", data });
    data.activity.grantRepeatResponses(this);
  }
}
