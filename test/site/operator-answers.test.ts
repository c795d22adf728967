// The operator's page and API agree on the answers: a difference is an error of the compiler here.
import { expectTypeOf, test } from "vitest";
import type { ResponseBody } from "../../lib/service/http/response-fields.ts";
import type * as accounts from "../../lib/service/operator/account-responses.ts";
import type * as responses from "../../lib/service/operator/responses.ts";
import type * as today from "../../lib/service/operator/today-responses.ts";
import type * as answers from "../../lib/site/web/operator/answers.ts";

test("operator's page: reads what its API answers", () => {
  expectTypeOf<ResponseBody<typeof responses.OperatorSessionResponse>>().toExtend<answers.OperatorSession>();
  expectTypeOf<ResponseBody<typeof responses.OperatorSignInMethods>>().toExtend<answers.SignInMethods>();
  expectTypeOf<ResponseBody<typeof responses.AuditPage>>().toExtend<answers.ListPage<answers.AuditEntry>>();
  expectTypeOf<ResponseBody<typeof accounts.AccountRows>>().toExtend<answers.AccountRows>();
  expectTypeOf<ResponseBody<typeof accounts.OperatedAccount>>().toExtend<answers.AccountDetails>();
  expectTypeOf<ResponseBody<typeof accounts.OperatedCaptures>>().toExtend<answers.ListPage<answers.AccountCapture>>();
  expectTypeOf<ResponseBody<typeof today.Today>>().toExtend<answers.Today>();
  expectTypeOf<ResponseBody<typeof today.TracedRequest>>().toExtend<answers.RequestTrace>();
  expectTypeOf<ResponseBody<typeof today.Failed>>().toExtend<answers.FailedMessages>();
  expectTypeOf<ResponseBody<typeof today.Retried>>().toExtend<answers.Retried>();
});
