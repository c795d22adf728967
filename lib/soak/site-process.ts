// The fixture site in a process of its own: what its bombs send must not keep waiting who measures the answers.
import { startSite } from "../../test/support/site.ts";

const { hostPort } = await startSite();
process.send?.(hostPort);
process.on("disconnect", () => process.exit());
