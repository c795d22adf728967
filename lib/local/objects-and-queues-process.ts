// A process of its own for S3 and SQS: `node objects-and-queues-process.ts <data folder>` tells its parent the address.
import { Server } from "node:net";
import { join } from "node:path";
import { startFauxqs } from "fauxqs";
import { engineQueue, letMessagesBeReturned } from "./engine-queue.ts";
import { makeFair } from "./fair-queues.ts";
import { REGION } from "./local-cloud.ts";
import { LOOPBACK } from "./loopback.ts";

const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error("The data folder is missing.");

// The engine listens on all interfaces, which would show every result to the whole network.
const listen = Server.prototype.listen as (this: Server, ...args: unknown[]) => Server;
Server.prototype.listen = function (this: Server, options: object, ...rest: unknown[]) {
  return listen.call(this, { ...options, host: LOOPBACK }, ...rest);
} as Server["listen"];

const queue = await engineQueue();
letMessagesBeReturned(queue);
makeFair(queue);
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
