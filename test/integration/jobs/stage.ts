import type { ApiClient } from '../../support/service.ts';
import { first, type Sent, SigningStage } from '../../support/signing-stage.ts';

export const DAY = 24 * 60 * 60 * 1_000;

/** Shared by the job tests: requests in any state, also of other clients, at any time. */
export class Stage extends SigningStage {
  document = (id: string, client: ApiClient = this.client) => client.get(`/api/v1/signatures/${id}/document`);

  /** Counts the events of a type in the audit trail. */
  countEvents = async (id: string, type: string): Promise<number> => (await this.trail(id, type)).length;

  /** A signer of a request whose first code may have ended. */
  verifiedLate = ({ signers }: Sent, index = 0) =>
    this.verified(first(signers.slice(index)), { freshCode: true });

  async signed(client: ApiClient = this.client): Promise<Sent> {
    const request = await this.send(1, {}, client);
    await (await this.verifiedLate(request)).sign();
    await this.service.untilStatus(client, request.id, 'signed');
    return request;
  }

  async expectIntact(id: string): Promise<void> {
    expect(await this.service.admin('request', 'verify-audit', id)).toMatchObject({ intact: true });
  }

  mails = (email: string, words: RegExp) =>
    this.service.mails(email).filter(({ subject }) => words.test(subject));
}
