// CloudFront in front of links: results and signed captures are cached at the edge and transferred from there.
import { CfnOutput, Duration, Validations } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { AaaaRecord, ARecord, type IHostedZone, RecordTarget } from "aws-cdk-lib/aws-route53";
import { CloudFrontTarget } from "aws-cdk-lib/aws-route53-targets";
import { Construct } from "constructs";
import type { EdgeConfig } from "../stages.ts";
import { edgeHeaders } from "./web-acl.ts";

/** The longest that CloudFront waits for the first byte without a higher quota. */
const ORIGIN_TIMEOUT = Duration.seconds(60);

export interface EdgeCacheProps {
  readonly edge: EdgeConfig;
  /** Domain of the API. */
  readonly originName: string;
  /** @default - the record is added by hand */
  readonly zone: IHostedZone | undefined;
}

/**
 * A host name of its own, which passes GET and HEAD without cookies, credentials in headers, and bodies. All other requests
 * go to the domain of the API, whose limits on sign-ins need the addresses of callers.
 *
 * What is cached, and for how long, the service says with `Cache-Control`. The whole query is part of the cache key, and with
 * it the signature of a link.
 */
export class EdgeCache extends Construct {
  constructor(scope: Construct, id: string, { edge, originName, zone }: EdgeCacheProps) {
    super(scope, id);
    const origin = new HttpOrigin(originName, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      readTimeout: ORIGIN_TIMEOUT,
      customHeaders: edgeHeaders(),
    });
    const readOnly: BehaviorOptions = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      compress: true,
      cachePolicy: CachePolicy.CACHING_DISABLED,
    };
    const links: BehaviorOptions = { ...readOnly, cachePolicy: this.cachePolicy(edge) };
    const distribution = new Distribution(this, "Distribution", {
      comment: `Links of ${originName}`,
      domainNames: [edge.name],
      certificate: Certificate.fromCertificateArn(this, "Certificate", edge.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_ALL,
      ...(edge.webAclArn !== undefined && { webAclId: edge.webAclArn }),
      defaultBehavior: readOnly,
      additionalBehaviors: { "/storage/*": links, "/api/v1/screenshot": links },
    });
    if (zone) {
      const target = RecordTarget.fromAlias(new CloudFrontTarget(distribution));
      new ARecord(this, "A", { zone, recordName: `${edge.name}.`, target });
      new AaaaRecord(this, "Aaaa", { zone, recordName: `${edge.name}.`, target });
    }
    new CfnOutput(this, "EdgeTarget", {
      value: distribution.distributionDomainName,
      description: `Target of the DNS record of ${edge.name}`,
    }).overrideLogicalId("EdgeTarget");
    acknowledgeFindings(distribution, edge);
  }

  private cachePolicy({ cacheSeconds }: EdgeConfig): CachePolicy {
    return new CachePolicy(this, "CachePolicy", {
      comment: "What the service allows shared caches to keep",
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(cacheSeconds),
      queryStringBehavior: CacheQueryStringBehavior.all(),
      headerBehavior: CacheHeaderBehavior.none(),
      cookieBehavior: CacheCookieBehavior.none(),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
  }
}

function acknowledgeFindings(distribution: Distribution, { webAclArn }: EdgeConfig): void {
  Validations.of(distribution).acknowledge(
    {
      id: "AwsSolutions-CFR1",
      reason: "Results are for customers everywhere; a restriction is the operator's choice.",
    },
    { id: "AwsSolutions-CFR3", reason: "Access logs would keep query strings, which contain signatures of links." },
  );
  if (webAclArn !== undefined) return;
  Validations.of(distribution).acknowledge({
    id: "AwsSolutions-CFR2",
    reason: "A web ACL has a monthly price, so it is a setting of the stage. Links are signed.",
  });
}
