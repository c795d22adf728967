// Static egress: functions that reach pages and receivers leave AWS by addresses that never change, through NAT gateways.
import { CfnOutput, Validations } from "aws-cdk-lib";
import {
  CfnEIP,
  GatewayVpcEndpointAwsService,
  type IVpc,
  NatProvider,
  SecurityGroup,
  SubnetType,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import type { FunctionProps } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { StageConfig } from "../stages.ts";

export interface StaticEgressProps {
  readonly stage: StageConfig;
  /** NAT gateways, each in an availability zone of its own. */
  readonly natGateways: number;
}

/**
 * A network whose only way out are NAT gateways. DynamoDB and S3 are reached by gateway endpoints, which are free; a NAT
 * gateway charges for each gigabyte. The egress proxy refuses private addresses here as elsewhere.
 */
export class StaticEgress extends Construct {
  /** Connects a function to the network. */
  readonly placement: Pick<FunctionProps, "vpc" | "vpcSubnets" | "securityGroups">;

  constructor(scope: Construct, id: string, { stage, natGateways }: StaticEgressProps) {
    super(scope, id);
    const addresses = Array.from({ length: natGateways }, (_, index) => this.address(`Address${index}`, stage));
    const network = new Vpc(this, "Vpc", {
      maxAzs: natGateways,
      natGateways,
      natGatewayProvider: NatProvider.gateway({
        eipAllocationIds: addresses.map(({ attrAllocationId }) => attrAllocationId),
      }),
      subnetConfiguration: [
        { name: "public", subnetType: SubnetType.PUBLIC, cidrMask: 28, mapPublicIpOnLaunch: false },
        { name: "functions", subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
      ],
      gatewayEndpoints: {
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        S3: { service: GatewayVpcEndpointAwsService.S3 },
      },
      // Nothing uses the default group; to empty it, CDK would deploy a function of its own.
      restrictDefaultSecurityGroup: false,
    });
    const vpc = network as IVpc;
    const securityGroup = new SecurityGroup(this, "Functions", {
      vpc,
      description: "Functions, which accept no connections",
    });
    this.placement = {
      vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [securityGroup],
    };
    new CfnOutput(this, "Addresses", {
      value: addresses.map(({ attrPublicIp }) => attrPublicIp).join(", "),
      description: "Addresses from which pages, receivers, and buckets are reached.",
    });
    Validations.of(network).acknowledge({
      id: "AwsSolutions-VPC7",
      reason:
        "Flow logs cost by the gigabyte. The egress proxy decides what is reached; turn them on from outside if you need them.",
    });
  }

  /** Kept with the data of the stage: customers write it into their firewalls. */
  private address(id: string, { removalPolicy }: StageConfig): CfnEIP {
    const address = new CfnEIP(this, id, { domain: "vpc" });
    address.applyRemovalPolicy(removalPolicy);
    return address;
  }
}
