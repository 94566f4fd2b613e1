/**
 * The findings of checkov that we accept: for each check the resources that may fail it, and why. Anything else that
 * checkov finds fails the test, and so does an exception that nothing needs any more.
 */
export const CHECKOV_EXCEPTIONS: Record<string, [resources: RegExp, why: string]> = {
  CKV_AWS_2: [
    /Listener\.Ingest/,
    'Only CloudFront reaches it, over AWS’s own network; a certificate needs a domain.',
  ],
  CKV_AWS_18: [
    /Bucket\.(DataAccessLogs|DataStaging|Page)/,
    'Logs would log themselves; staging holds objects a day; the page is public. Documents are logged.',
  ],
  CKV_AWS_21: [
    /Bucket\.(DataAccessLogs|DataStaging|Page)/,
    'Logs, staged uploads and the page need no versions. Documents have them.',
  ],
  CKV_AWS_26: [
    /Topic\.(Alarms|Mail)/,
    'CloudWatch and SES cannot publish under the AWS managed key. Alarms name no person, and bounces pass on at once.',
  ],
  CKV_AWS_27: [
    /Queue\.Queues/,
    'SQS encrypts each queue with its own key by default, which this check does not know.',
  ],
  CKV_AWS_59: [/Method\.Gateway/, 'The functions check API keys and signing links themselves.'],
  CKV_AWS_65: [
    /Cluster\.Ingest/,
    'Insights cost more than the task; the load balancer’s metrics are enough.',
  ],
  CKV_AWS_68: [
    /Distribution\.Edge/,
    'The firewall protects the API in its own region; the page is static files.',
  ],
  CKV_AWS_73: [
    /Stage\.Gateway/,
    'X-Ray needs a `*` in every role. The request id in every log line connects them.',
  ],
  CKV_AWS_86: [
    /Distribution\.Edge/,
    'Standard logs contain whole paths and thus tokens. infra/access-log.ts selects fields.',
  ],
  CKV_AWS_91: [
    /LoadBalancer\.Ingest/,
    'Only CloudFront can reach it, and the task behind it logs every call.',
  ],
  CKV_AWS_103: [/Listener\.Ingest/, 'As CKV_AWS_2.'],
  CKV_AWS_115: [
    /Function\./,
    'Reserving takes from the rest of the account, of which a new one has 10: the option reservedConcurrency.',
  ],
  CKV_AWS_116: [
    /Function\./,
    'Those that the schedules invoke have one. Nothing invokes the others asynchronously; queues have their own.',
  ],
  CKV_AWS_117: [/Function\./, 'The functions need nothing in a VPC, which would cost a NAT gateway.'],
  CKV_AWS_120: [/Stage\.Gateway/, 'Answers are one caller’s own, and of this second.'],
  CKV_AWS_149: [
    /Secret\.Secrets/,
    'Encrypted with the AWS managed key. Each role may read only its own secrets.',
  ],
  CKV_AWS_158: [
    /LogGroup\./,
    'CloudWatch encrypts logs itself. No log line contains a token, code, key or document.',
  ],
  CKV_AWS_173: [
    /Function\./,
    'Lambda encrypts variables itself, and they are names and ARNs, never secrets.',
  ],
  CKV_AWS_174: [
    /Distribution\.Edge/,
    'Without a custom domain CloudFront’s own certificate decides; with one it is TLS 1.2.',
  ],
};
