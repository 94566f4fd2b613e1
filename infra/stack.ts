import { Annotations, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ENDPOINTS } from '../shared/contract/endpoints.ts';
import type { OptionalOutput, StackOutput } from '../shared/store/stack-names.ts';
import { AccessLog } from './access-log.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { Data } from './data.ts';
import { Edge } from './edge.ts';
import { acceptControl } from './exceptions.ts';
import { Firewall } from './firewall.ts';
import { addGatewayErrors, Gateway } from './gateway.ts';
import { Ingest, IngestEntrance } from './ingest.ts';
import { Jobs } from './jobs.ts';
import { Mail } from './mail.ts';
import { Operations } from './operations.ts';
import { type Options, PLACEHOLDER_SENDER } from './options.ts';
import { docsIn, Page } from './page.ts';
import { Queues } from './queues.ts';
import { Secrets } from './secrets.ts';
import { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly options: Options;
  /** The folder of the function bundles. */
  readonly bundles: string;
  readonly ingestBundle: string;
  /** The folder of the built signing page. */
  readonly page: string;
}

/** The whole service, for any account and region. */
export class SignatureRequests extends Stack {
  constructor(scope: Construct, id: string, { options, bundles, ingestBundle, page: pageFolder }: Props) {
    super(scope, id, {
      stackName: options.stackName,
      terminationProtection: options.stage === 'prod',
    });
    if (options.mailFrom === PLACEHOLDER_SENDER)
      Annotations.of(this).addWarningV2(
        'mail-from',
        `The sender is ${PLACEHOLDER_SENDER}, which SES refuses. Set your own with -c mailFrom=sign@your.domain.`,
      );

    if (options.stage === 'dev')
      acceptControl(this, {
        cloudwatch_log_group_retention_period_check: 'Two weeks of logs are enough in a trial stack.',
      });

    const data = new Data(this, 'Data', options);
    const queues = new Queues(this, 'Queues', options);
    const mail = new Mail(this, 'Mail', { ...options, queues });
    const secrets = new Secrets(this, 'Secrets', options);
    const page = new Page(this, 'Page');
    const { api } = new Gateway(this, 'Gateway', options);
    const entrance = options.largeUploads ? new IngestEntrance(this, 'IngestEntrance', options) : undefined;
    const edge = new Edge(this, 'Edge', {
      api,
      page: page.bucket,
      docs: docsIn(pageFolder),
      originSecret: secrets.byName.origin,
      staging: data.staging,
      ingest: entrance?.balancer,
      options,
    });
    addGatewayErrors(api, edge.baseUrl);
    // SES publishes a test message as soon as it knows the topic, which can fail while the topic's policy is seconds old. The
    // distribution takes minutes.
    mail.bounces.node.addDependency(edge.distribution);

    const functions = new ServiceFunctions(this, 'Functions', {
      data,
      queues,
      secrets,
      mail,
      options,
      baseUrl: edge.baseUrl,
      bundles,
    });
    new Api(this, 'Routes', { api, endpoints: ENDPOINTS, functions, baseUrl: edge.baseUrl });
    // The stage depends on the routes, and the routes on their functions.
    page.deploy(pageFolder, api.deploymentStage, options);
    new Jobs(this, 'Jobs', { options, queues, functions });
    const ingest =
      entrance &&
      new Ingest(this, 'Ingest', {
        entrance,
        bundle: ingestBundle,
        staging: data.staging,
        table: data.table,
        createSignature: functions.get('create-signature'),
        baseUrl: edge.baseUrl,
        options,
      });
    const firewall =
      options.stage === 'prod'
        ? new Firewall(this, 'Firewall', {
            stackName: options.stackName,
            originSecret: secrets.byName.origin,
            baseUrl: edge.baseUrl,
            protects: {
              Api: api.deploymentStage.stageArn,
              ...(entrance && { Ingest: entrance.balancer.loadBalancerArn }),
            },
          })
        : undefined;
    if (options.stage === 'prod') {
      const { distribution } = edge;
      const alarms = new Alarms(this, 'Alarms', { api, distribution, ingest, queues, functions, options });
      new Operations(this, 'Operations', { api, queues, functions, alarms, ...options });
      new AccessLog(this, 'AccessLog', { distribution, ...options });
    }

    // The admin command and the operator find the resources of the stack by these outputs.
    const outputs: Record<StackOutput, string> & Partial<Record<OptionalOutput, string>> = {
      BaseUrl: edge.baseUrl,
      TableName: data.table.tableName,
      DocumentsBucket: data.documents.bucketName,
      StagingBucket: data.staging.bucketName,
      WebhookKeyArn: secrets.webhookKey.keyArn,
      DistributionId: edge.distribution.distributionId,
      // A custom domain without a zone of the stack is pointed at it by hand.
      DistributionDomain: edge.distribution.distributionDomainName,
      SigningSecretArn: secrets.byName.signing.secretArn,
      OriginSecretArn: secrets.byName.origin.secretArn,
      SealSecretArn: secrets.byName.seal.secretArn,
      TestSealSecretArn: secrets.byName.testSeal.secretArn,
      TimestampSecretArn: secrets.byName.timestamp.secretArn,
      SealQueueUrl: queues.byName.seal.queueUrl,
      EventsQueueUrl: queues.byName.events.queueUrl,
      DeliveriesQueueUrl: queues.byName.deliveries.queueUrl,
      SlowDeliveriesQueueUrl: queues.byName['slow-deliveries'].queueUrl,
      MailQueueUrl: queues.byName.mail.queueUrl,
      BouncesQueueUrl: queues.byName.bounces.queueUrl,
      ScheduleFailuresQueueUrl: queues.scheduleFailures.queueUrl,
      FunctionPrefix: options.stackName,
      // The preflight compares it with the option.
      SealLevel: options.sealLevel,
    };
    if (firewall) outputs.OriginValuesArn = firewall.originValues.attrArn;
    if (secrets.sealKey) outputs.SealKeyArn = secrets.sealKey.keyArn;
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
