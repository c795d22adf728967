// Credentials: where a request carries its key.
import { describe, expect, test } from "vitest";
import { readCredentials } from "../../../lib/service/http/api-request.ts";
import { anApiRequest, FORM_TYPE, JSON_TYPE } from "../../support/builders.ts";

const inQuery = (...query: [string, string][]) => anApiRequest({ query });
const asForm = (body: string) => anApiRequest({ method: "POST", headers: FORM_TYPE, body });
const asJson = (body: unknown) => anApiRequest({ method: "POST", headers: JSON_TYPE, body });

describe("credentials: the key of a request is read from", () => {
  const nowhere = { authorization: undefined, accessKeys: [], apiKeyHeader: undefined, inBody: false };

  test.each([
    ["nowhere", anApiRequest(), nowhere],
    [
      "in the header",
      anApiRequest({ headers: { authorization: "Bearer k" } }),
      { ...nowhere, authorization: "Bearer k" },
    ],
    ["in the query", inQuery(["access_key", "k"], ["a", "1"]), { ...nowhere, accessKeys: ["k"] }],
    ["twice in the query", inQuery(["access_key", "k"], ["access_key", "l"]), { ...nowhere, accessKeys: ["k", "l"] }],
    ["in a JSON body", asJson({ access_key: "k" }), { ...nowhere, inBody: true }],
    ["in a form", asForm("url=x&access_key=k"), { ...nowhere, inBody: true }],
    ["nowhere in a list", asJson(["access_key"]), nowhere],
    ["nowhere in another field's text", asForm("url=access_key"), nowhere],
  ])("%s", (_, request, credentials) => {
    expect(readCredentials(request)).toEqual(credentials);
  });
});
