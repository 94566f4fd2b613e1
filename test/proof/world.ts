import { createHash } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { putSecret } from '../support/aws.ts';
import { makePdf } from '../support/pdf.ts';
import { type ApiClient, Service } from '../support/service.ts';
import { MoodyAuthority, MoodyReceiver } from './listeners.ts';
import type { Snapshot } from './snapshot.ts';

const NOTIFY = 'office@example.com';
const HOOKS = '/api/v1/webhook-endpoints';
/** For what is to be looked at after a proof that failed. */
export const KEPT = 'artifacts/proof';

interface Endpoint {
  id: string;
  receiver: MoodyReceiver;
}

/** A whole service with one organization, two receivers of its events and all that its clients were answered. */
export class World {
  readonly service: Service;
  readonly client: ApiClient & { ownerId: string };
  readonly authority: MoodyAuthority;
  readonly pdf: Buffer;
  /** The first always acknowledges. */
  readonly endpoints: Endpoint[] = [];
  readonly creates: Snapshot['creates'] = [];
  readonly acts: Snapshot['acts'] = [];
  readonly notify = NOTIFY;
  /** The number of times that something was made to fail. */
  interruptions = 0;

  private constructor(
    service: Service,
    client: ApiClient & { ownerId: string },
    authority: MoodyAuthority,
    pdf: Buffer,
  ) {
    this.service = service;
    this.client = client;
    this.authority = authority;
    this.pdf = pdf;
  }

  static async open({ receivers = 2 } = {}): Promise<World> {
    const service = await Service.start();
    const client = await service.client();
    const authority = await new MoodyAuthority(service.cloud.timestampUrl).open();
    const world = new World(service, client, authority, await makePdf());
    const ca_pem = await readFile(service.cloud.timestampCa, 'utf8');
    await putSecret(service, 'TimestampSecretArn', { authorities: [{ url: authority.url, ca_pem }] });
    await service.admin('org', 'update', client.ownerId, '--notify', NOTIFY);
    for (let place = 0; place < receivers; place += 1) await world.#addReceiver();
    return world;
  }

  async #addReceiver(): Promise<void> {
    const receiver = await new MoodyReceiver().open();
    const { status, body } = await this.client.post(HOOKS, { url: receiver.url });
    if (status !== 201) throw new Error(`The webhook endpoint was refused: ${JSON.stringify(body)}`);
    this.endpoints.push({ id: body.id, receiver });
  }

  get documentSha256(): string {
    return createHash('sha256').update(this.pdf).digest('hex');
  }

  get now(): number {
    return this.service.cloud.clock.now();
  }

  /** The functions' logs, which would end with the service. */
  keepLogs(): void {
    const kept = join(KEPT, 'logs');
    rmSync(kept, { recursive: true, force: true });
    cpSync(join(this.service.dir, 'logs'), kept, { recursive: true });
    console.error(`The functions' logs are in ${kept}.`);
  }

  async close(): Promise<void> {
    this.authority.close();
    for (const { receiver } of this.endpoints) receiver.close();
    await this.service.stop();
  }
}

/** A proof in a world of its own. If it fails, the logs stay. */
export async function inWorld<T>(
  prove: (world: World) => Promise<T>,
  options?: { receivers: number },
): Promise<T> {
  const world = await World.open(options);
  try {
    return await prove(world);
  } catch (error) {
    world.keepLogs();
    throw error;
  } finally {
    await world.close();
  }
}
