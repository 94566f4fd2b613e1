/** The addresses from which CloudFront calls origins. AWS keeps the list; its id differs by region. */
export const CLOUDFRONT_PREFIX_LIST = 'com.amazonaws.global.cloudfront.origin-facing';

/**
 * Zones without CloudFront VPC origins or Fargate on ARM. Zone names differ by account; ids do not. A change here may move the
 * ingest of a stack that looks its zones up. Since new subnets need the addresses of the old ones, such a stack must first be
 * deployed with `-c largeUploads=off`.
 */
export const EXCLUDED_ZONE_IDS = ['use1-az3', 'usw1-az2', 'cac1-az3', 'apne1-az3', 'apne2-az1'];
