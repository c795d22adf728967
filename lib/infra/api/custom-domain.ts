// The custom domain of the API: its certificate, and the records that lead to it.
import { CfnOutput } from "aws-cdk-lib";
import { type CfnDomainName, EndpointType, type RestApi } from "aws-cdk-lib/aws-apigateway";
import { Certificate, CertificateValidation, type ICertificate } from "aws-cdk-lib/aws-certificatemanager";
import { AaaaRecord, ARecord, HostedZone, type IHostedZone, RecordTarget } from "aws-cdk-lib/aws-route53";
import { ApiGatewayDomain } from "aws-cdk-lib/aws-route53-targets";
import { Construct } from "constructs";
import type { DomainConfig } from "../stages.ts";
import { EdgeCache } from "./edge-cache.ts";

/**
 * TLS of the API and of its domain: 1.2 with forward secrecy, or 1.3, and for `STRICT` only requests whose host is that of the connection.
 * CDK's own constants lack the policy.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
export const TLS_SETTINGS = {
  securityPolicy: "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09",
  endpointAccessMode: "STRICT",
} as const;

export interface CustomDomainProps {
  readonly api: RestApi;
  readonly domain: DomainConfig;
}

/** Requests to the domain have no stage in their path. With a hosted zone, everything is set up by the deployment. */
export class CustomDomain extends Construct {
  constructor(scope: Construct, id: string, { api, domain }: CustomDomainProps) {
    super(scope, id);
    const zone = domain.hostedZone && this.zone(domain.hostedZone);
    const domainName = api.addDomainName("Name", {
      domainName: domain.name,
      certificate: this.certificate(domain, zone),
      endpointType: EndpointType.REGIONAL,
    });
    Object.assign(domainName.node.defaultChild as CfnDomainName, TLS_SETTINGS);
    if (zone) {
      const target = RecordTarget.fromAlias(new ApiGatewayDomain(domainName));
      new ARecord(this, "A", { zone, recordName: `${domain.name}.`, target });
      new AaaaRecord(this, "Aaaa", { zone, recordName: `${domain.name}.`, target });
    }
    new CfnOutput(this, "DomainTarget", {
      value: domainName.domainNameAliasDomainName,
      description: `Target of the DNS record of ${domain.name}`,
    }).overrideLogicalId("DomainTarget");
    if (domain.edge) new EdgeCache(this, "Edge", { edge: domain.edge, originName: domain.name, zone });
  }

  private zone({ id, name }: NonNullable<DomainConfig["hostedZone"]>): IHostedZone {
    return HostedZone.fromHostedZoneAttributes(this, "Zone", { hostedZoneId: id, zoneName: name });
  }

  /** A certificate without a zone waits, and with it the deployment, until its record is added by hand. */
  private certificate({ name, certificateArn }: DomainConfig, zone: IHostedZone | undefined): ICertificate {
    if (certificateArn !== undefined) return Certificate.fromCertificateArn(this, "Certificate", certificateArn);
    return new Certificate(this, "Certificate", { domainName: name, validation: CertificateValidation.fromDns(zone) });
  }
}
