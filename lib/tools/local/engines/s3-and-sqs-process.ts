// The process of S3 and SQS: `node s3-and-sqs-process.ts <data folder>` sends its address to the parent process.
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "node:net";
import { join } from "node:path";
import { startFauxqs } from "fauxqs";
import { LOOPBACK, refuseForeignHosts } from "../loopback.ts";
import { endAbandonedPolls, fixImmediateVisibility, loadEngineQueue } from "../sqs/engine-queue.ts";
import { enableFairQueues } from "../sqs/fair-queues.ts";
import { REGION } from "./client-options.ts";

const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error("The data folder is missing.");

const queue = await loadEngineQueue();
fixImmediateVisibility(queue);
/** The request that the engine is handling. */
const currentRequest = new AsyncLocalStorage<IncomingMessage>();
const cancelAbandonedPolls = endAbandonedPolls(queue, () => {
  const socket = currentRequest.getStore()?.socket;
  return socket !== undefined && (socket.destroyed || socket.readableEnded);
});
enableFairQueues(queue);

// The engine listens on all interfaces, which would expose every result to the network, and for every Host.
const listen = Server.prototype.listen as (this: Server, ...args: unknown[]) => Server;
Server.prototype.listen = function (this: Server, options: object, ...rest: unknown[]) {
  refuseForeignHosts(this);
  this.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    currentRequest.enterWith(request); // before the engine's own listener
    response.once("close", () => {
      if (!response.writableFinished) cancelAbandonedPolls();
    });
  });
  return listen.call(this, { ...options, host: LOOPBACK }, ...rest);
} as Server["listen"];

const engine = await startFauxqs({
  port: 0,
  logger: false,
  defaultRegion: REGION,
  dataDir: join(dataDir, "queues"),
  s3StorageDir: join(dataDir, "objects"), // as files: large objects are slow in its database
});

// An orphaned process would keep the data folder locked.
for (const event of ["disconnect", "SIGTERM"])
  process.once(event, () => void engine.stop().then(() => process.exit(0)));
process.send?.(`${LOOPBACK}:${engine.port}`);
