import { signerKey, tokenKey } from '../../shared/store/keys.ts';
import { newAccessToken } from '../../shared/verification/code.ts';
import { tableOf } from './aws.ts';
import { first, type Invited, type Sent, type SigningStage } from './signing-stage.ts';

/** Gives the only signer of a request a link as earlier versions made it, whose token does not name the request. */
export async function withOlderLink({ service }: SigningStage, { id, signers }: Sent): Promise<Invited> {
  const signer = first(signers);
  const token = newAccessToken();
  const table = tableOf(service);
  await table.put({ ...tokenKey(token), requestId: id, signerId: signer.id });
  await table.update(signerKey(id, 0), { accessToken: token });
  return { ...signer, access_token: token };
}
