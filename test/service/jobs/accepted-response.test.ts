// The response to an enqueued capture: where its state is.
import { expect, test } from "vitest";
import { acceptedResponse } from "../../../lib/service/jobs/accepted-response.ts";
import { aQueuedJob } from "../../support/queued-job.ts";

test("202 names the status URL under the base URL of the service", () => {
  const job = aQueuedJob();
  const { status, headers, body } = acceptedResponse(job, { BASE_URL: "https://x.example/live" });
  expect([status, headers]).toMatchObject([
    202,
    { Location: `/live/api/v1/screenshot/${job.id}`, "X-Request-Id": String(job.id) },
  ]);
  expect(JSON.parse(String(body))).toMatchObject({
    status_url: `https://x.example/live/api/v1/screenshot/${job.id}`,
  });
});
