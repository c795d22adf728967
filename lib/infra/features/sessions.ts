// `/session`, `/sessions` and `/sign-in`: signing in and out, the sessions of an account, and codes by e-mail.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import { grantSendMail } from "../functions/mail.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";
import type { FeatureProps } from "./feature-props.ts";

type SessionProps = FeatureProps<"accounts" | "usage">;

/** A function that starts sessions. */
class SignInOutFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data, file }: SessionProps & { file: "session" | "sign-in" }) {
    super(scope, id, { stage, file, data });
    data.accounts.grantManageSessions(this);
    data.accounts.grantReadKeys(this); // the account is in the partition of its keys
    data.accounts.grantManageKeys(this); // changes the account, which is stored together with its keys
    data.usage.grantCountAttempts(this);
    setDoors(this, stage);
  }
}

/** `/session`, `/sessions` and `GET /sign-in` */
export class SessionFunction extends SignInOutFunction {
  constructor(scope: Construct, id: string, props: SessionProps) {
    super(scope, id, { ...props, file: "session" });
    props.data.accounts.grantRedeemLinks(this);
  }
}

/** `/sign-in/code` and `/session/account/email`: the only function that sends e-mail for callers. */
export class SignInFunction extends SignInOutFunction {
  constructor(scope: Construct, id: string, props: SessionProps) {
    super(scope, id, { ...props, file: "sign-in" });
    props.data.accounts.grantRedeemCodes(this);
    props.data.accounts.grantManageEmails(this);
    grantSendMail(this, props.stage);
  }
}

/** `GET /session/account/export` and `DELETE /session/account` */
export class AccountDataFunction extends AuthenticatedFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, data }: FeatureProps<"accounts" | "usage" | "activity" | "results">,
  ) {
    super(scope, id, { stage, file: "account-data", data, timeout: Duration.minutes(14) });
    data.accounts.grantRemoveAccounts(this);
    data.usage.grantRemoveAccounts(this);
    data.usage.grantFreezePeriods(this); // an export reads the invoices, which freezes the terms of months that have ended
    data.activity.grantRemoveAccounts(this);
    data.results.grantReadFacts(this);
    data.results.grantDelete(this);
    setDoors(this, stage);
    grantSendMail(this, stage);
  }
}

function setDoors(fn: ServiceFunction, { mail, signUp }: StageConfig): void {
  if (!mail) return;
  fn.setEnvironment("MAIL_FROM", mail.from);
  fn.setEnvironment("SIGN_UP", signUp);
}
