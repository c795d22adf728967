// GET|HEAD|DELETE /api/v1/screenshot/{id}: the state of an asynchronous capture, its cancellation, and the deletion of its result.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import { deleteAsyncCapture, getAsyncCapture } from "../lib/api/jobs/routes.ts";

export const handler = await serveRoutes([getAsyncCapture, deleteAsyncCapture]);
