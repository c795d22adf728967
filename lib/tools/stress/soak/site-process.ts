// The fixture site in its own process, so that the traffic of its bombs does not delay measurements.
import { startSite } from "../../../../test/fixtures/site.ts";

const { hostPort } = await startSite();
process.send?.(hostPort);
process.on("disconnect", () => process.exit());
