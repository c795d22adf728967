import { STSClient } from "@aws-sdk/client-sts";
import { once } from "./once.ts";

export const sts = once(() => new STSClient({}));
