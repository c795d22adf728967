// The service definition of an assembly of two stacks, with references between them.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation writes its variables like this
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadServiceDefinition } from "../../../../lib/tools/local/assembly/service-definition.ts";
import { temporaryFolder } from "../support.ts";

const bucketExport = { Name: { "Fn::Sub": "${AWS::StackName}:Bucket" } };

const data = {
  Resources: {
    Bucket: { Type: "AWS::S3::Bucket", Metadata: { "aws:cdk:path": "App/Data/Bucket/Resource" } },
    Alarm: { Type: "AWS::CloudWatch::Alarm" },
    OtherAlarm: { Type: "AWS::CloudWatch::Alarm" },
  },
  Outputs: { BucketName: { Value: { Ref: "Bucket" }, Export: bucketExport } },
};

const service = {
  Resources: {
    Role: { Type: "AWS::IAM::Role", Properties: {} },
    Network: { Type: "AWS::EC2::Subnet", Properties: { Unknown: { "Fn::Cidr": [] } } },
    Layer: { Type: "AWS::Lambda::LayerVersion", Properties: { Content: { S3Key: "layer.zip" } } },
    Function: {
      Type: "AWS::Lambda::Function",
      Properties: {
        Code: { S3Bucket: { "Fn::Sub": "assets-${AWS::AccountId}" }, S3Key: "code.zip" },
        Environment: { Variables: { BUCKET: { "Fn::ImportValue": "Data:Bucket" }, FILES: "/opt/files" } },
        Handler: "index.handler",
        Layers: [{ Ref: "Layer" }],
        Role: { "Fn::GetAtt": ["Role", "Arn"] },
        Timeout: 7,
      },
    },
  },
};

test("service definition: resolves references across stacks in dependency order", async () => {
  const { folder, load } = await assembly();

  const { functions, physicalIds, outputs } = await load();

  expect(functions).toEqual([
    {
      name: "Service-Function",
      arn: "arn:aws:lambda:us-east-1:000000000000:function:Service-Function",
      logicalId: "Function",
      code: join(folder, "asset.code"),
      handler: "index.handler",
      isBundled: false,
      timeoutSeconds: 7,
      memoryMegabytes: 128,
      environment: { BUCKET: "data-bucket", FILES: join(folder, "asset.layer/files") },
      logFormat: "Text",
      logGroup: "/aws/lambda/Service-Function",
      reservedConcurrency: undefined,
      isPerTenant: false,
    },
  ]);
  expect(physicalIds.get("App/Data/Bucket")).toBe("data-bucket");
  expect(outputs).toEqual({ BucketName: "data-bucket" });
});

test("service definition: lists the resources that the runner ignores", async () => {
  const { load } = await assembly();

  expect((await load()).unsupported).toBe("CloudWatch::Alarm × 2, EC2::Subnet × 1");
});

test.each([
  [
    "an import that no stack exports",
    { A: { "Fn::ImportValue": "Data:Other" } },
    /no stack before Service exports Data:Other/,
  ],
  [
    "an attribute without a value",
    { A: { "Fn::GetAtt": ["Role", "RoleId"] } },
    /Role\.RoleId has no value in the local runner/,
  ],
  ["a resource that is not there", { A: { Ref: "Nothing" } }, /Service\/Function .*there is no resource Nothing/],
  ["a file that no layer has", { A: "/opt/other" }, /No layer of the function contains \/opt\/other, the value of A/],
])("service definition: rejects a function whose environment has %s", async (_what, Variables, message) => {
  const { load } = await assembly({ Environment: { Variables } });

  await expect(load()).rejects.toThrow(message);
});

async function assembly(functionProperties: object = {}) {
  const folder = await temporaryFolder();
  const { Function: fn, ...others } = service.Resources;
  const Resources = { ...others, Function: { ...fn, Properties: { ...fn.Properties, ...functionProperties } } };
  const asset = (id: string) => ({ source: { path: `asset.${id}` }, destinations: { a: { objectKey: `${id}.zip` } } });
  const files = {
    "manifest.json": {
      artifacts: {
        // The stack that imports comes first here, so that only the dependency puts it last.
        Service: stackArtifact("Service", ["Data", "Assets"]),
        Data: stackArtifact("Data", []),
        Assets: { type: "cdk:asset-manifest", properties: { file: "assets.json" } },
      },
    },
    "assets.json": { files: { code: asset("code"), layer: asset("layer") } },
    "Data.template.json": data,
    "Service.template.json": { Resources },
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
  for (const name of ["asset.code", "asset.layer/files"]) await mkdir(join(folder, name), { recursive: true });
  const cloud = { region: "us-east-1", accountId: "000000000000", sqsEndpoint: "http://sqs" };
  return { folder, load: () => loadServiceDefinition({ assembly: folder, cloud, baseUrl: "http://api" }) };
}

function stackArtifact(name: string, dependencies: string[]) {
  return { type: "aws:cloudformation:stack", dependencies, properties: { templateFile: `${name}.template.json` } };
}
