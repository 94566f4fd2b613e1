import { randomBytes } from 'node:crypto';
import {
  CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { GetRegexPatternSetCommand, UpdateRegexPatternSetCommand, WAFV2Client } from '@aws-sdk/client-wafv2';
import {
  MIN_REREAD_INTERVAL_MS,
  ORIGIN_SECRET_HEADER,
  SECRET_CACHE_MS,
} from '../shared/http/trusted-edge.ts';
import { after, MINUTE, SECOND, sleep } from '../shared/runtime/time.ts';
import { command } from './command.ts';
import { Failure } from './errors.ts';
import type { Operator } from './operator.ts';
import { createVersion, nextVersionId, versionAt } from './secret-versions.ts';

/**
 * Rotates the secret that the distribution sends to prove itself to the firewall and the functions. Both accept its current and
 * its previous value, so every value that an edge location still sends must be one of the two. Therefore a new value is created
 * only when the last one is deployed everywhere, the distribution gets it after the firewall, and the previous one is removed only
 * when the new one is deployed everywhere and calls sent before have ended. An interrupted rotation resumes where it stopped.
 */

const POLL_INTERVAL = 3 * SECOND;
const LOCAL_POLL_INTERVAL = SECOND / 2;
const REPORT_INTERVAL = MINUTE;
/** CloudFront usually needs five minutes. */
const DEPLOYMENT_LIMIT = 35 * MINUTE;
/** AWS WAF takes from a few seconds to some minutes to apply a change everywhere; a local run takes two seconds. */
const FIREWALL_TIME = 3 * MINUTE;

/**
 * A call that was sent with the old value: the ingest reads a slow body for two minutes, and waits for the function after that. A local
 * run's upload takes some seconds on a busy machine.
 */
const LONGEST_CALL = 3 * MINUTE;
const LONGEST_LOCAL_CALL = 10 * SECOND;

/** The set of values that pass the firewall. A stack for trials has no firewall. */
interface OriginValues {
  /** With its description, which an update without it would delete. */
  set: { Name: string; Id: string; Scope: 'REGIONAL'; Description: string | undefined };
  lockToken: string | undefined;
  patterns: string[];
}

/** Distribution, firewall and secret, read in this order. */
interface State {
  distribution: { etag: string; config: DistributionConfig; isDeployed: boolean };
  /** The origins that get the secret. */
  origins: string[];
  sendsCurrent: boolean;
  originValues: OriginValues | undefined;
  current: { versionId: string; value: string; madeAt: Date };
  previous: { versionId: string; value: string } | undefined;
  nextVersionId: string;
}

const report = (sentence: string) => process.stderr.write(`${sentence}\n`);
const isNamed = (error: unknown, ...names: string[]) => error instanceof Error && names.includes(error.name);

function secretHeaders({ Origins }: DistributionConfig) {
  return (Origins?.Items ?? []).flatMap(({ Id, CustomHeaders }) =>
    (CustomHeaders?.Items ?? [])
      .filter(({ HeaderName }) => HeaderName?.toLowerCase() === ORIGIN_SECRET_HEADER)
      .map((header) => ({ origin: Id ?? '', header })),
  );
}

/** The pattern that only this value matches: it consists of letters and digits. */
const patternOf = ({ value }: { value: string }) => `^${value}$`;

class Rotation {
  readonly #cloudFront: CloudFrontClient;
  readonly #firewall: WAFV2Client;
  readonly #secrets: SecretsManagerClient;
  readonly #secretId: string;
  readonly #originValuesArn: string | undefined;
  readonly distributionId: string;
  /** The firewall and the functions accept a new value after this time. */
  readonly acceptanceMs: number;
  readonly #pollMs: number;
  readonly #longestCallMs: number;

  constructor({ clients, output, outputIfAny, localFolder }: Operator) {
    this.#cloudFront = new CloudFrontClient(clients);
    this.#firewall = new WAFV2Client(clients);
    this.#secrets = new SecretsManagerClient(clients);
    this.#secretId = output('OriginSecretArn');
    this.#originValuesArn = outputIfAny('OriginValuesArn');
    this.distributionId = output('DistributionId');
    this.#pollMs = localFolder === undefined ? POLL_INTERVAL : LOCAL_POLL_INTERVAL;
    this.#longestCallMs = localFolder === undefined ? LONGEST_CALL : LONGEST_LOCAL_CALL;
    const hasSlowFirewall = this.#originValuesArn !== undefined && localFolder === undefined;
    this.acceptanceMs = hasSlowFirewall ? FIREWALL_TIME : MIN_REREAD_INTERVAL_MS;
  }

  get hasFirewall(): boolean {
    return this.#originValuesArn !== undefined;
  }

  /** Reads the secret last: if the others change after they were read, their tokens make the update fail. */
  async read(): Promise<State> {
    const { ETag: etag, Distribution } = await this.#cloudFront.send(
      new GetDistributionCommand({ Id: this.distributionId }),
    );
    const config = Distribution?.DistributionConfig;
    if (!etag || !config) throw new Failure('CloudFront returned no distribution.');
    const headers = secretHeaders(config);
    if (headers.length === 0)
      throw new Failure(`The distribution ${this.distributionId} sends no ${ORIGIN_SECRET_HEADER}.`);

    const originValues = await this.#readOriginValues();
    const description = await this.#secrets.send(new DescribeSecretCommand({ SecretId: this.#secretId }));
    const current = await this.#readVersion(versionAt('AWSCURRENT', description));
    if (!current) throw new Failure('The origin secret has no current value.');
    return {
      distribution: { etag, config, isDeployed: Distribution.Status === 'Deployed' },
      origins: headers.map(({ origin }) => origin),
      sendsCurrent: headers.every(({ header }) => header.HeaderValue === current.value),
      originValues,
      current,
      previous: await this.#readVersion(versionAt('AWSPREVIOUS', description)),
      nextVersionId: nextVersionId(current.versionId, description),
    };
  }

  async #readVersion(versionId: string | undefined) {
    if (!versionId) return undefined;
    const { SecretString: value, CreatedDate: madeAt } = await this.#secrets.send(
      new GetSecretValueCommand({ SecretId: this.#secretId, VersionId: versionId }),
    );
    return value && madeAt ? { versionId, value, madeAt } : undefined;
  }

  async #readOriginValues(): Promise<OriginValues | undefined> {
    if (!this.#originValuesArn) return undefined;
    const [, , Name = '', Id = ''] = this.#originValuesArn.split('/');
    const set = { Name, Id, Scope: 'REGIONAL' } as const;
    const { RegexPatternSet, LockToken } = await this.#firewall.send(new GetRegexPatternSetCommand(set));
    const patterns = (RegexPatternSet?.RegularExpressionList ?? []).map(
      ({ RegexString = '' }) => RegexString,
    );
    return { set: { ...set, Description: RegexPatternSet?.Description }, lockToken: LockToken, patterns };
  }

  /** False if a concurrent run created it first. */
  createVersion = ({ nextVersionId: versionId }: State): Promise<boolean> =>
    createVersion(this.#secrets, this.#secretId, versionId, randomBytes(32).toString('hex'));

  /** Continues until a single value is left and sent from everywhere. A read that still shows `replaced` is stale. */
  async settle(replaced?: string): Promise<State> {
    const end = Date.now() + DEPLOYMENT_LIMIT;
    let reportedAt = Number.NEGATIVE_INFINITY;
    /** Calls that were sent with any other version than this one have ended. */
    let callsEndedBefore: string | undefined;
    while (Date.now() < end) {
      const state = await this.read();
      const { distribution, sendsCurrent, current, previous } = state;
      const isStale = current.versionId === replaced;
      if (!isStale && !sendsCurrent) await this.#updateDistribution(state);
      else if (isStale || !distribution.isDeployed) {
        reportedAt = this.#reportWaiting(reportedAt);
        await sleep(this.#pollMs);
      } else if (passes(state, current) && !previous) return state;
      else if (callsEndedBefore === current.versionId) await this.#removeReplaced(state);
      else {
        await sleep(this.#longestCallMs);
        callsEndedBefore = current.versionId;
      }
    }
    throw new Failure(
      `The distribution ${this.distributionId} is still not deployed everywhere after ${DEPLOYMENT_LIMIT / MINUTE} minutes.`,
    );
  }

  /** Returns when it was last reported. */
  #reportWaiting(reportedAt: number): number {
    if (Date.now() - reportedAt < REPORT_INTERVAL) return reportedAt;
    report(
      `Waiting for the distribution ${this.distributionId} to be deployed everywhere; this takes minutes.`,
    );
    return Date.now();
  }

  /** The value that is no longer sent: from the firewall first, then from the secret. */
  async #removeReplaced(state: State): Promise<void> {
    const { current, previous } = state;
    if (!passes(state, current)) await this.#letPass(state, [current]);
    else if (previous) await this.#removePrevious(previous.versionId);
  }

  async #updateDistribution(state: State): Promise<void> {
    const { distribution, current, previous } = state;
    const { etag, config } = distribution;
    const valid = previous ? [current, previous] : [current];
    if (!passes(state, ...valid) && !(await this.#letPass(state, valid))) return;
    const acceptors = this.hasFirewall ? 'the firewall and all functions' : 'all functions';
    report(
      `Updating the distribution in ${this.acceptanceMs / SECOND} seconds, when ${acceptors} accept the new value.`,
    );
    await sleep(this.acceptanceMs);
    for (const { header } of secretHeaders(config)) header.HeaderValue = current.value;
    const update = new UpdateDistributionCommand({
      Id: this.distributionId,
      IfMatch: etag,
      DistributionConfig: config,
    });
    await this.#cloudFront.send(update).catch((error: unknown) => {
      if (!isNamed(error, 'PreconditionFailed', 'InvalidIfMatchVersion')) throw error;
      report('Somebody else changed the distribution at the same time; reading it again.');
    });
  }

  /** Makes these the only values that pass the firewall. False if somebody else changed it at the same time. */
  async #letPass({ originValues }: State, values: { value: string }[]): Promise<boolean> {
    if (!originValues) return true;
    const change = new UpdateRegexPatternSetCommand({
      ...originValues.set,
      LockToken: originValues.lockToken,
      RegularExpressionList: values.map((one) => ({ RegexString: patternOf(one) })),
    });
    try {
      await this.#firewall.send(change);
      return true;
    } catch (error) {
      if (!isNamed(error, 'WAFOptimisticLockException')) throw error;
      report('Somebody else changed the firewall at the same time; reading it again.');
      return false;
    }
  }

  async #removePrevious(versionId: string): Promise<void> {
    const end = new UpdateSecretVersionStageCommand({
      SecretId: this.#secretId,
      VersionStage: 'AWSPREVIOUS',
      RemoveFromVersionId: versionId,
    });
    await this.#secrets.send(end).catch(async (error: unknown) => {
      if (!isNamed(error, 'InvalidParameterException')) throw error;
      // A concurrent run has just removed it; reads may show that a moment later.
      await sleep(SECOND);
    });
  }
}

/** True if these values and no others pass the firewall, or if there is none. */
const passes = ({ originValues }: State, ...values: { value: string }[]) =>
  !originValues || [...originValues.patterns].sort().join() === values.map(patternOf).sort().join();

/** Adds to any error that calls still work and how to resume. */
async function explainUnfinished(work: () => Promise<State>): Promise<State> {
  try {
    return await work();
  } catch (error) {
    const name = error instanceof Error && !(error instanceof Failure) ? `${error.name}: ` : '';
    const message = error instanceof Error ? error.message.replace(/\.?$/, '.') : String(error);
    throw new Failure(
      `${name}${message} The rotation is not finished. Calls still work: the service accepts the old value and the new one. Run "origin-secret rotate" again to resume it.`,
    );
  }
}

async function rotate(operator: Operator) {
  const rotation = new Rotation(operator);
  const { sendsCurrent, previous } = await rotation.read();
  const resumed = !sendsCurrent || previous !== undefined;
  let replaced: string | undefined;
  if (resumed) report('Finishing an earlier rotation. Run the command again for a new value.');
  else {
    // Another change of the distribution may still be deploying.
    const state = await rotation.settle();
    replaced = state.current.versionId;
    if (!(await rotation.createVersion(state)))
      report('A concurrent run has just created a new value; this run helps to finish it.');
  }
  const { origins, current } = await explainUnfinished(() => rotation.settle(replaced));
  return {
    distribution_id: rotation.distributionId,
    origins,
    resumed,
    rotated_at: current.madeAt.toISOString(),
    old_value_refused_from: after(
      operator.now(),
      rotation.hasFirewall ? rotation.acceptanceMs : SECRET_CACHE_MS,
    ),
  };
}

export const originSecretCommands = [
  command({
    name: 'origin-secret rotate',
    summary:
      'Rotate the secret that the distribution sends to the firewall and the functions, without refusing a call',
    run: (_input, operator) => rotate(operator),
  }),
];
