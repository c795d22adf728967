// GET|HEAD /api/v1/jobs: the account's asynchronous captures, newest first.
import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { describeJob } from "../lib/api/jobs/describe-job.ts";
import { parseJobListOptions } from "../lib/api/jobs/list-options.ts";
import { listJobs } from "../lib/jobs/job-list.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "RESULTS_BUCKET", "BASE_URL");

export const handler = streamingRouteHandler<"GET /api/v1/jobs">(async (request) => {
  const { account } = await authorize(request, "capture", env);
  const { status, external_identifier, before, limit } = parseJobListOptions(queryOptions(request));
  const now = request.receivedAt;
  const { jobs, next } = await listJobs(
    env.ACTIVITY_TABLE,
    account.id,
    { status, external_identifier, before, limit },
    now,
  );
  const data = await Promise.all(jobs.map((job) => describeJob(job, env, now)));
  return json(200, { data, next_before: next ?? null });
});
