import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

/** DynamoDB with plain JavaScript values. Reads `AWS_ENDPOINT_URL_DYNAMODB` like every SDK. */
export const dynamodb = once(() =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: requestTimeouts() }), {
    marshallOptions: { removeUndefinedValues: true },
  }),
);
