import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  CfnVpcOrigin,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  PriceClass,
  type ResponseCustomHeader,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin, VpcOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { ApplicationLoadBalancer } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ROOT } from './bundles.ts';
import { API_POLICY, appPolicy, DOCS_POLICY, PAGE_POLICY, VERIFY_POLICY } from './edge/policies.ts';
import { accept } from './exceptions.ts';
import { STAGE_NAME } from './gateway.ts';
import type { Options } from './options.ts';
import { pascalCase } from './pascal-case.ts';

/**
 * By default CloudFront caches these errors for 10 seconds, whatever their headers say, and answers every caller of the URL with them.
 * No error pages: errors pass unchanged.
 */
const UNCACHED_ERRORS = [404, 414, 500, 501, 502, 503, 504].map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));

interface Props {
  readonly api: RestApi;
  readonly page: IBucket;
  /** The addresses of the documentation's pages. */
  readonly docs: readonly string[];
  /** The bucket that the dashboard sends large documents to. */
  readonly staging: Pick<IBucket, 'bucketRegionalDomainName'>;
  readonly originSecret: Secret;
  /** The load balancer of the ingest, if there is one. */
  readonly ingest?: ApplicationLoadBalancer | undefined;
  readonly options: Options;
}

export const ORIGIN_HEADER = 'x-origin-secret';
/** The edge function writes the viewer's network to this header: an IPv4 address, or the first half of an IPv6 one. */
export const VIEWER_NETWORK_HEADER = 'x-viewer-network';

/**
 * The challenge of a 401. The distribution adds it to every API response, which RFC 9110 (11.6.1) permits: the gateway
 * renames this header of a function's response, and edge functions do not run for error responses.
 */
const CHALLENGE: ResponseCustomHeader = { header: 'WWW-Authenticate', value: 'Bearer', override: true };

/** The source of the edge function for a stack with or without an ingest, and with these pages of documentation. */
export function viewerRequestCode(hasIngest: boolean, docs: readonly string[]): string {
  const source = readFileSync(join(ROOT, 'infra', 'edge', 'viewer-request.js'), 'utf8');
  return source
    .replace('const HAS_INGEST = false;', `const HAS_INGEST = ${hasIngest};`)
    .replace('const DOCS = [];', `const DOCS = ${JSON.stringify(docs)};`);
}

/** The distribution: the single public address of the service. */
export class Edge extends Construct {
  readonly distribution: Distribution;
  readonly baseUrl: string;

  constructor(
    scope: Construct,
    id: string,
    { api, page, docs, staging, originSecret, ingest, options }: Props,
  ) {
    super(scope, id);
    const { domain, stackName } = options;
    const stack = Stack.of(this);
    // CloudFront has one namespace for all regions of an account.
    const named = (what: string) => `${stackName}-${stack.region}-${what}`;

    const viewerRequest = new EdgeFunction(this, 'ViewerRequest', {
      functionName: named('viewer'),
      comment: 'The page of a link, the address of the viewer, the way in for a body',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(viewerRequestCode(ingest !== undefined, docs)),
    });
    const originHeaders = { [ORIGIN_HEADER]: originSecret.secretValue.unsafeUnwrap() };
    const pageOrigin = S3BucketOrigin.withOriginAccessControl(page, {
      originAccessControl: new S3OriginAccessControl(this, 'PageAccess', {
        originAccessControlName: named('page'),
      }),
    });
    const common = {
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      functionAssociations: [{ function: viewerRequest, eventType: FunctionEventType.VIEWER_REQUEST }],
    };
    const pageBehaviour = (what: string, policy: string) => ({
      ...common,
      origin: pageOrigin,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      compress: true,
      responseHeadersPolicy: this.#headers(`${pascalCase(what)}Headers`, named(what), policy),
    });

    this.distribution = new Distribution(this, 'Distribution', {
      comment: stackName,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: options.stage === 'prod' ? PriceClass.PRICE_CLASS_ALL : PriceClass.PRICE_CLASS_100,
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      errorResponses: UNCACHED_ERRORS,
      defaultBehavior: pageBehaviour('page', PAGE_POLICY),
      additionalBehaviors: {
        '/verify*': pageBehaviour('verify', VERIFY_POLICY),
        '/app*': pageBehaviour('app', appPolicy(`https://${staging.bucketRegionalDomainName}`)),
        '/docs*': pageBehaviour('docs', DOCS_POLICY),
        '/api/*': {
          ...common,
          // Refers to the API by id only: the functions depend on the distribution's address, so it must not depend on them.
          origin: new HttpOrigin(`${api.restApiId}.execute-api.${stack.region}.${stack.urlSuffix}`, {
            originPath: `/${STAGE_NAME}`,
            protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
            readTimeout: Duration.seconds(60),
            customHeaders: originHeaders,
          }),
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
          allowedMethods: AllowedMethods.ALLOW_ALL,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          responseHeadersPolicy: this.#headers('ApiHeaders', named('api'), API_POLICY, [CHALLENGE]),
        },
      },
    });
    if (ingest) {
      // The edge function selects this origin. A behaviour must have a path; this one is never used.
      this.distribution.addBehavior(
        '/ingest',
        VpcOrigin.withApplicationLoadBalancer(ingest, {
          originId: 'ingest',
          vpcOriginName: named('ingest'),
          protocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
          readTimeout: Duration.seconds(60),
          customHeaders: originHeaders,
        }),
        { ...common, cachePolicy: CachePolicy.CACHING_DISABLED },
      );
      // Making the origin takes most of a deployment that switches the ingest on. Large bodies must not be sent to it meanwhile.
      const origins = this.distribution.node.findAll().filter((each) => each instanceof CfnVpcOrigin);
      viewerRequest.node.addDependency(...origins);
    }
    this.baseUrl = `https://${domain?.name ?? this.distribution.distributionDomainName}`;
    accept(this.distribution, {
      CFR1: 'Signers may be in any country.',
      CFR2: 'The firewall protects the API in the stack’s own region; the page is static files.',
      CFR3: 'Standard CloudFront logs contain the tokens of signing links; infra/access-log.ts selects fields.',
      ...(!domain && {
        CFR4: 'CloudFront’s own domain has its own certificate; a custom domain gets TLS 1.2 and above.',
      }),
    });
    if (domain?.hostedZoneId) this.#addDnsRecords(domain.name, domain.hostedZoneId);
  }

  #headers(
    id: string,
    name: string,
    contentSecurityPolicy: string,
    more: ResponseCustomHeader[] = [],
  ): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: name,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(2 * 365),
          includeSubdomains: true,
          override: true,
        },
      },
      customHeadersBehavior: {
        customHeaders: [
          {
            header: 'Permissions-Policy',
            value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
            override: true,
          },
          { header: 'Cross-Origin-Opener-Policy', value: 'same-origin', override: true },
          { header: 'X-Robots-Tag', value: 'noindex, nofollow', override: true },
          ...more,
        ],
      },
      // These headers reveal what is behind the distribution. CloudFront does not allow removing x-amzn-requestid.
      removeHeaders: ['x-amz-apigw-id', 'x-amzn-trace-id', 'x-amzn-remapped-date'],
    });
  }

  #addDnsRecords(name: string, hostedZoneId: string): void {
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName: name });
    const target = RecordTarget.fromAlias(new CloudFrontTarget(this.distribution));
    new ARecord(this, 'Ipv4', { zone, target });
    new AaaaRecord(this, 'Ipv6', { zone, target });
  }
}
