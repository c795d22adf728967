// A process of its own for S3 and SQS: `node s3-and-sqs-process.ts <data folder>` tells its parent the address.
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "node:net";
import { join } from "node:path";
import { startFauxqs } from "fauxqs";
import { LOOPBACK } from "../loopback.ts";
import { engineQueue, letMessagesBeReturned, letPollsBeAbandoned } from "../sqs/engine-queue.ts";
import { makeFair } from "../sqs/fair-queues.ts";
import { REGION } from "./client-options.ts";

const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error("The data folder is missing.");

const queue = await engineQueue();
letMessagesBeReturned(queue);
/** The request that is being answered. */
const answering = new AsyncLocalStorage<IncomingMessage>();
const endAbandonedPolls = letPollsBeAbandoned(queue, () => {
  const socket = answering.getStore()?.socket;
  return socket !== undefined && (socket.destroyed || socket.readableEnded);
});
makeFair(queue);

// The engine listens on all interfaces, which would show every result to the whole network.
const listen = Server.prototype.listen as (this: Server, ...args: unknown[]) => Server;
Server.prototype.listen = function (this: Server, options: object, ...rest: unknown[]) {
  this.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    answering.enterWith(request); // the engine's own listener comes next
    response.once("close", () => {
      if (!response.writableFinished) endAbandonedPolls();
    });
  });
  return listen.call(this, { ...options, host: LOOPBACK }, ...rest);
} as Server["listen"];

const engine = await startFauxqs({
  port: 0,
  logger: false,
  defaultRegion: REGION,
  dataDir: join(dataDir, "queues"),
  s3StorageDir: join(dataDir, "objects"), // as files: in its database, large objects would be slow
});

// Without its parent it has no purpose, and would keep the data folder occupied.
for (const event of ["disconnect", "SIGTERM"])
  process.once(event, () => void engine.stop().then(() => process.exit(0)));
process.send?.(`${LOOPBACK}:${engine.port}`);
