// Lambda's API on loopback, as far as `Invoke` goes, in front of the functions of a local service.
// https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
import { createServer } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";
import type { Service } from "../../lib/tools/local/service.ts";

export async function startLambdaApi(invoke: Service["invoke"]): Promise<{ endpoint: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const [, name = ""] = /^\/2015-03-31\/functions\/([^/]+)\/invocations/.exec(request.url ?? "") ?? [];
    try {
      const { payload } = await invoke(decodeURIComponent(name), await text(request));
      response.end(Buffer.isBuffer(payload) ? payload : await buffer(payload));
    } catch (error) {
      const { name: errorType, message: errorMessage } = error as Error;
      response.setHeader("X-Amz-Function-Error", "Unhandled").end(JSON.stringify({ errorType, errorMessage }));
    }
  });
  const address = await listen(server);
  return { endpoint: `http://${address}`, close: () => stopListening(server) };
}
