import { requestOfSeal, sealOutboxId } from '../../../shared/store/outbox.ts';

it('the request of a seal job is known from the name of the job', () => {
  const id = '0198c1f0-5b1e-7c3a-9f7d-2a1f5c6e7b8d';
  expect(requestOfSeal(sealOutboxId(id))).toBe(id);
});
