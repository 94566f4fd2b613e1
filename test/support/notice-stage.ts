import type { Table } from '../../shared/store/table.ts';
import { countPending } from '../../shared/work/due.ts';
import { tableOf } from './aws.ts';
import type { Service } from './service.ts';
import { type Invited, type Sent, SigningStage } from './signing-stage.ts';
import { until } from './until.ts';

const MINUTE = 60_000;

/** Shared by the tests of notices: a stage, and a wait until every due mail has been sent. */
export class NoticeStage {
  readonly signing: SigningStage;
  readonly #positions = new Map<string, number>();

  private constructor(signing: SigningStage) {
    this.signing = signing;
  }

  static open = async () => new NoticeStage(await SigningStage.open());
  static openCold = async () => new NoticeStage(await SigningStage.openCold());
  close = () => this.signing.close();

  get service(): Service {
    return this.signing.service;
  }

  /** With the clock of the service, which signatures of calls depend on. */
  get table(): Table {
    return tableOf(this.service);
  }

  positionOf = ({ id }: Invited): number => this.#positions.get(id) ?? -1;

  notify = (address: string) =>
    this.service.admin('org', 'update', this.signing.client.ownerId, '--notify', address);

  /** Nothing can follow any more: an item leaves the outbox in the transaction that records its work. */
  untilOutboxIsEmpty = () =>
    until(async () => (await countPending(this.table, 'OUTBOX')).count === 0, 'the outbox to be empty');

  /** The sweep sends what a crash left, once the item is due and its lease is over. */
  async sweepUntilOutboxIsEmpty(): Promise<void> {
    this.service.advance(2 * MINUTE);
    await this.service.runSchedule('sweep');
    await this.untilOutboxIsEmpty();
  }

  /** A request to three people, one of whom SES refused. */
  async sendWithFailedInvitation(title: string) {
    this.service.refuseMail('create-signature', 3);
    const request = await this.signing.send(3, { title });
    await this.untilOutboxIsEmpty();
    for (const [position, { id }] of request.signers.entries()) this.#positions.set(id, position);
    const wasSent = (signer: Sent['signers'][number]) =>
      (signer as Invited & { email_sent: boolean }).email_sent;
    const [about, invited] = request.signers.filter(wasSent);
    const notInvited = request.signers.find((signer) => !wasSent(signer));
    if (!about || !invited || !notInvited) throw new Error('One of three mails was to be refused.');
    return { id: request.id, signers: { about, invited, not_invited: notInvited } };
  }
}
