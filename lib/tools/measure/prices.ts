// List prices of AWS in us-east-1, in US dollars without tax, as of 2026-11-22: the pages that are named have
// the last word. The free tier counts for nothing here: it is the account's, not the service's, and ends.

import { GIGABYTE_SECOND_PRICE } from "../../service/platform/compute-price.ts";

const MILLION = 1_000_000;
const GIGABYTE = 2 ** 30;

export const prices = {
  // https://aws.amazon.com/lambda/pricing/, x86, first tier. Since August 2025 the start of a function is billed, too:
  // https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/
  lambdaGigabyteSecond: GIGABYTE_SECOND_PRICE,
  lambdaRequest: 0.2 / MILLION,
  /** Of the temporary storage above 512 MB. */
  lambdaStorageGigabyteSecond: 0.0000000309,
  /** Of what is streamed beyond the first 6 MB of an answer. */
  lambdaStreamedByte: 0.008 / GIGABYTE,

  // Lambda's tenant isolation mode, of each GB of an execution environment that is created:
  // https://docs.aws.amazon.com/lambda/latest/dg/tenant-isolation.html
  tenantEnvironmentGigabyte: 0.000167,

  // https://aws.amazon.com/api-gateway/pricing/, REST; each 10 MB of a streamed answer are a request:
  // https://aws.amazon.com/blogs/compute/building-responsive-apis-with-amazon-api-gateway-response-streaming/
  gatewayRequest: 3.5 / MILLION,

  // https://aws.amazon.com/waf/pricing/
  wafWebAclMonth: 5,
  wafRuleMonth: 1,
  wafRequest: 0.6 / MILLION,

  // https://aws.amazon.com/dynamodb/pricing/on-demand/
  dynamoReadUnit: 0.125 / MILLION,
  dynamoWriteUnit: 0.625 / MILLION,
  dynamoByteMonth: 0.25 / GIGABYTE,

  // https://aws.amazon.com/s3/pricing/, Standard
  s3Put: 0.005 / 1_000,
  s3Get: 0.0004 / 1_000,
  s3ByteMonth: 0.023 / GIGABYTE,

  // https://aws.amazon.com/sqs/pricing/, standard queues
  sqsRequest: 0.4 / MILLION,

  // https://aws.amazon.com/kms/pricing/, before the first yearly rotation
  kmsKeyMonth: 1,

  // https://aws.amazon.com/cloudwatch/pricing/, ingestion
  logByte: 0.5 / GIGABYTE,

  // https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer, to the internet, first tier
  byteOut: 0.09 / GIGABYTE,
} as const;
