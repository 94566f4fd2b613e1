import { createHash, randomBytes } from 'node:crypto';
import {
  CloudFrontClient,
  type DistributionConfig,
  GetDistributionCommand,
  UpdateDistributionCommand,
} from '@aws-sdk/client-cloudfront';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { BELIEVED_FOR, LOOK_AGAIN_AFTER, ORIGIN_SECRET_HEADER } from '../../shared/http/trusted-edge.ts';
import { after, MINUTE, SECOND, sleep } from '../../shared/runtime/time.ts';
import { command } from './command.ts';
import { Failure } from './errors.ts';
import type { Operator } from './operator.ts';

/**
 * What the distribution proves itself with to the functions. They accept the secret's current value and its previous
 * one, so what the distribution still sends anywhere must be one of the two at every moment: there is no new value before
 * the last one is everywhere, and no end of the old one before that either. A rotation that was broken off, at whatever
 * step, is therefore seen by where secret and distribution stand, and the next run takes it from there.
 */

const POLL = 3 * SECOND;
const SAY_AGAIN = MINUTE;
/** CloudFront mostly needs five minutes. */
const PATIENCE = 35 * MINUTE;

/** A distribution's and its secret's common state; the distribution was read first. */
interface State {
  distribution: { etag: string; config: DistributionConfig; isDeployed: boolean };
  /** The origins that are sent a secret. */
  origins: string[];
  sendsCurrent: boolean;
  current: { versionId: string; value: string; madeAt: Date };
  previousVersionId: string | undefined;
  /** Names the one version that may follow: of two runs at once only one can make it. */
  nextVersionId: string;
}

const say = (sentence: string) => process.stderr.write(`${sentence}\n`);
const isNamed = (error: unknown, ...names: string[]) => error instanceof Error && names.includes(error.name);

function secretHeaders({ Origins }: DistributionConfig) {
  return (Origins?.Items ?? []).flatMap(({ Id, CustomHeaders }) =>
    (CustomHeaders?.Items ?? [])
      .filter(({ HeaderName }) => HeaderName?.toLowerCase() === ORIGIN_SECRET_HEADER)
      .map((header) => ({ origin: Id ?? '', header })),
  );
}

class Rotation {
  readonly #cloudFront: CloudFrontClient;
  readonly #secrets: SecretsManagerClient;
  readonly #secretId: string;
  readonly distributionId: string;

  constructor({ clients, output }: Operator) {
    this.#cloudFront = new CloudFrontClient(clients);
    this.#secrets = new SecretsManagerClient(clients);
    this.#secretId = output('OriginSecretArn');
    this.distributionId = output('DistributionId');
  }

  /** The distribution first: a change of it since then makes an update by what was read here fail. */
  async read(): Promise<State> {
    const { ETag: etag, Distribution } = await this.#cloudFront.send(
      new GetDistributionCommand({ Id: this.distributionId }),
    );
    const config = Distribution?.DistributionConfig;
    if (!etag || !config) throw new Failure('CloudFront answered without the distribution.');
    const headers = secretHeaders(config);
    if (headers.length === 0)
      throw new Failure(`The distribution ${this.distributionId} sends no ${ORIGIN_SECRET_HEADER}.`);

    const { VersionIdsToStages = {}, LastChangedDate } = await this.#secrets.send(
      new DescribeSecretCommand({ SecretId: this.#secretId }),
    );
    const versionAt = (stage: string) =>
      Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(stage));
    const versionId = versionAt('AWSCURRENT');
    const { SecretString: value, CreatedDate: madeAt } = await this.#secrets.send(
      new GetSecretValueCommand({ SecretId: this.#secretId, VersionId: versionId }),
    );
    if (!versionId || !value || !madeAt) throw new Failure('The origin secret has no current value.');
    return {
      distribution: { etag, config, isDeployed: Distribution.Status === 'Deployed' },
      origins: headers.map(({ origin }) => origin),
      sendsCurrent: headers.every(({ header }) => header.HeaderValue === value),
      current: { versionId, value, madeAt },
      previousVersionId: versionAt('AWSPREVIOUS'),
      nextVersionId: createHash('sha256')
        .update(`${versionId} ${LastChangedDate?.toISOString()}`)
        .digest('hex'),
    };
  }

  /** False where another run was faster. */
  async makeValue({ nextVersionId }: State): Promise<boolean> {
    const put = new PutSecretValueCommand({
      SecretId: this.#secretId,
      ClientRequestToken: nextVersionId,
      SecretString: randomBytes(32).toString('hex'),
    });
    try {
      await this.#secrets.send(put);
      return true;
    } catch (error) {
      if (isNamed(error, 'ResourceExistsException')) return false;
      throw error;
    }
  }

  /** Takes what is under way on to its end: one value, sent from everywhere. `replaced` is a version known to be over. */
  async settle(replaced?: string): Promise<State> {
    const end = Date.now() + PATIENCE;
    let saidAt = Number.NEGATIVE_INFINITY;
    while (Date.now() < end) {
      const state = await this.read();
      const { distribution, sendsCurrent, current, previousVersionId } = state;
      if (current.versionId !== replaced && !sendsCurrent) await this.#tellDistribution(state);
      else if (current.versionId === replaced || !distribution.isDeployed) {
        if (Date.now() - saidAt >= SAY_AGAIN) {
          say(
            `Waiting for the distribution ${this.distributionId} to be deployed everywhere; it takes minutes.`,
          );
          saidAt = Date.now();
        }
        await sleep(POLL);
      } else if (previousVersionId) await this.#endPrevious(previousVersionId);
      else return state;
    }
    throw new Failure(
      `The distribution ${this.distributionId} is not deployed with it after ${PATIENCE / MINUTE} minutes.`,
    );
  }

  async #tellDistribution({ distribution: { etag, config }, current }: State): Promise<void> {
    say(
      `Functions come to know the value; the distribution is told in ${LOOK_AGAIN_AFTER / SECOND} seconds.`,
    );
    await sleep(LOOK_AGAIN_AFTER);
    for (const { header } of secretHeaders(config)) header.HeaderValue = current.value;
    const update = new UpdateDistributionCommand({
      Id: this.distributionId,
      IfMatch: etag,
      DistributionConfig: config,
    });
    await this.#cloudFront.send(update).catch((error: unknown) => {
      if (!isNamed(error, 'PreconditionFailed', 'InvalidIfMatchVersion')) throw error;
      say('The distribution was changed by somebody else in this moment; looking at it again.');
    });
  }

  async #endPrevious(versionId: string): Promise<void> {
    const end = new UpdateSecretVersionStageCommand({
      SecretId: this.#secretId,
      VersionStage: 'AWSPREVIOUS',
      RemoveFromVersionId: versionId,
    });
    await this.#secrets.send(end).catch(async (error: unknown) => {
      if (!isNamed(error, 'InvalidParameterException')) throw error;
      // Another run has just ended it; that may take a moment to be seen.
      await sleep(SECOND);
    });
  }
}

/** Whatever goes wrong on the way, nothing is refused, and the next run goes on from there. */
async function orUnfinished(work: () => Promise<State>): Promise<State> {
  try {
    return await work();
  } catch (error) {
    const name = error instanceof Error && !(error instanceof Failure) ? `${error.name}: ` : '';
    const said = error instanceof Error ? error.message.replace(/\.?$/, '.') : String(error);
    throw new Failure(
      `${name}${said} The rotation is not finished. Calls are answered meanwhile: the old value and the new one are both accepted. Run "origin-secret rotate" again; it goes on from here.`,
    );
  }
}

async function rotate(operator: Operator) {
  const rotation = new Rotation(operator);
  const { sendsCurrent, previousVersionId } = await rotation.read();
  const resumed = !sendsCurrent || previousVersionId !== undefined;
  let replaced: string | undefined;
  if (resumed)
    say(
      'An earlier rotation has not ended; this run ends it and makes no newer value. For one, run it again.',
    );
  else {
    // Something else may be on its way to the distribution.
    const state = await rotation.settle();
    replaced = state.current.versionId;
    if (!(await rotation.makeValue(state)))
      say('Another run has just made a new value; this one sees it through as well.');
  }
  const { origins, current } = await orUnfinished(() => rotation.settle(replaced));
  return {
    distribution_id: rotation.distributionId,
    origins,
    resumed,
    rotated_at: current.madeAt.toISOString(),
    old_value_refused_from: after(operator.now(), BELIEVED_FOR),
  };
}

export const originSecretCommands = [
  command({
    name: 'origin-secret rotate',
    summary: 'Give the distribution and the functions behind it a new common secret, refusing no call',
    args: [],
    options: {},
    run: (_input, operator) => rotate(operator),
  }),
];
