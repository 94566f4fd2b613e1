import type { SignatureRequest } from '../../client/src/types.ts';
import { first } from '../support/signing-stage.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { button, check, dashboardSetup, sees, texts } from './dashboard-setup.ts';

/** Failed and refused actions on a request are told as they are. */

const setup = dashboardSetup();

const NOW = new Date().toISOString();

it('a short message disappears by itself, and a repeated one is announced again', async () => {
  const { id } = await setup.stage.send(1, { title: 'Receipt' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = async () => {
    await button(page, texts.more);
    await button(page, texts.request.copyJson);
  };
  await page.clock.install();
  await copy();
  const message = page.getByText(texts.copied);
  await message.waitFor();
  const earlier = await message.elementHandle();
  await copy();
  await page.waitForFunction((shown) => !shown?.isConnected, earlier);
  await message.waitFor();
  await page.clock.fastForward(6_000);
  await message.waitFor({ state: 'detached' });
});

it('a short message stays while the pointer is on it, and as long again once it has left', async () => {
  const { id } = await setup.stage.send(1, { title: 'Slow reading' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  await page.clock.install();
  await button(page, texts.sendAgain);
  const message = page.locator('.toast');
  await message.hover();
  await page.clock.runFor(60_000);
  expect(await message.count()).toBe(1);
  await page.mouse.move(0, 0);
  await page.clock.runFor(5_000);
  expect(await message.count()).toBe(1);
  await page.clock.runFor(5_000);
  await message.waitFor({ state: 'detached' });
});

it('a signer who can enter no more codes is told apart until the invitation is sent again, and a long message of that stays longer', async () => {
  const { id } = await setup.stage.send(1, { title: 'Guessed' });
  const name = 'Ann Example '.repeat(12);
  const page = await setup.signedIn(DESKTOP);
  await page.route(`**/api/v1/signatures/${id}`, async (route) => {
    const answer = await route.fetch();
    const request: SignatureRequest = await answer.json();
    const signers = request.signers.map((signer) => ({ ...signer, name }));
    const { events } = request.audit_trail;
    const invited = events.findIndex(({ type }) => type === 'invitation_sent') + 1;
    const ended = { ...first(events), type: 'code_entry_ended', signer_id: first(signers).id };
    const audit_trail = { events: events.toSpliced(invited, 0, ended) };
    await route.fulfill({ response: answer, json: { ...request, signers, audit_trail } });
  });
  await page.getByRole('link', { name: 'Guessed' }).click();
  const warning = page.locator('.notice-warn').getByText(texts.request.events.code_entry_ended);
  await warning.waitFor();
  await check(page, 'code-entry-ended');
  await page.clock.install();
  await button(page, texts.sendAgain);
  await warning.waitFor({ state: 'detached' });
  const message = page.locator('.toast');
  await message.waitFor();
  await page.clock.runFor(12_000);
  expect(await message.count()).toBe(1);
  await page.clock.runFor(10_000);
  await message.waitFor({ state: 'detached' });
});

it('a cancellation that is under way cannot be left as if it had stopped, and the focus goes back to its menu', async () => {
  const { id } = await setup.stage.send(1, { title: 'Draft contract' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/api/v1/signatures/${id}/cancel`, (route) => released.then(() => route.continue()));
  await button(page, texts.more);
  await button(page, texts.request.cancel);
  await button(page, texts.request.cancelling.submit);
  expect(await page.getByRole('button', { name: texts.request.cancelling.keep }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await sees(page, texts.request.cancel);
  release();
  await page.getByText(texts.request.cancelling.done).waitFor();
  await page.locator('button:focus', { hasText: texts.more }).waitFor();
});

it('a correction of someone who has signed meanwhile is refused in words, and keeps what was entered', async () => {
  const { id, signers } = await setup.stage.send(2, { title: 'Protocol' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  const signer = first(signers);
  const card = page.getByRole('article', { name: signer.name });
  await card.getByRole('button', { name: texts.request.correct }).click();
  const email = page.locator('dialog').getByLabel(texts.email);
  await email.fill('elsewhere@example.com');
  await page.locator('#correct-name').fill('');
  await button(page, texts.request.correcting.submit);
  // The service would keep the name of the person before.
  await page.locator('#correct-name:focus').waitFor();
  await page.getByText(texts.nameMissing).waitFor();
  await page.locator('#correct-name').fill(signer.name);
  await setup.stage.sign(signer);
  await button(page, texts.request.correcting.submit);
  await page.getByText(texts.problems.signer_not_active).waitFor();
  expect(await email.inputValue()).toBe('elsewhere@example.com');
});

it('everyone who has not signed is mailed at once, and a mail that could not be sent is named', async () => {
  const { id, signers } = await setup.stage.send(4, { title: 'Board minutes' });
  const [, unmailed, ...others] = signers;
  const name = unmailed?.name ?? '';
  const page = await setup.signedIn(PHONE, `/app/requests/${id}`);
  const { all } = texts.request;
  const mailsOf = ({ email }: { email: string }) => setup.stage.service.mails(email).length;
  const open = page.getByRole('button', { name: all.label }).first();
  const confirm = page.locator('dialog').getByRole('button', { name: all.label });
  await open.click();
  await page.getByText(all.text(4)).waitFor();
  await check(page, 'remind-all');
  await setup.stage.sign(first(signers));
  const before = others.map(mailsOf);
  const calls = `**/signers/${unmailed?.id}/resend`;
  await page.route(calls, (route) => route.abort());
  await confirm.press('Enter');
  await page.locator('dialog').getByRole('alert').getByText(texts.problems.connection_failed).waitFor();
  expect(others.map(mailsOf)).toEqual(before);
  await page.unroute(calls);
  await page.route(calls, (route) => route.fulfill({ json: { ok: true, email_sent: false } }));
  await confirm.press('Enter');
  await page.getByText(all.failed(name)).waitFor();
  expect(others.map(mailsOf)).toEqual(before.map((count) => count + 1));
  await page.unroute(calls);
  await open.press('Enter');
  await page.getByText(all.rest(name)).waitFor();
  await page.locator('dialog').getByRole('button', { name: texts.sendAgain, exact: true }).press('Enter');
  await page.getByText(all.done).waitFor();
  expect(others.map(mailsOf)).toEqual(before.map((count) => count + 1));
  await check(page, 'reminded-all');
});

it('a closed question goes on with those who have not been mailed, and asks about all once they have', async () => {
  const { id, signers } = await setup.stage.send(3, { title: 'Annual report' });
  const page = await setup.signedIn(PHONE, `/app/requests/${id}`);
  const { all } = texts.request;
  const [, broken, unmailed] = signers;
  const counts = () => signers.map(({ email }) => setup.stage.service.mails(email).length);
  const open = page.getByRole('button', { name: all.label }).first();
  const confirm = page.locator('dialog').getByRole('button', { name: all.label });
  const confirmRest = page.locator('dialog').getByRole('button', { name: texts.sendAgain, exact: true });
  const [one = 0, two = 0, three = 0] = counts();
  const calls = `**/signers/${broken?.id}/resend`;
  await open.click();
  await page.route(calls, (route) => route.abort());
  await confirm.press('Enter');
  await page.locator('dialog').getByRole('alert').getByText(texts.problems.connection_failed).waitFor();
  expect(counts()).toEqual([one + 1, two, three]);
  await page.unroute(calls);
  await page.keyboard.press('Escape');
  await open.press('Enter');
  await page.getByText(all.rest(`${broken?.name} and ${unmailed?.name}`)).waitFor();
  await check(page, 'remind-rest');
  await confirmRest.press('Enter');
  await page.getByText(all.done).waitFor();
  expect(counts()).toEqual([one + 1, two + 1, three + 1]);
  await open.press('Enter');
  await page.getByText(all.text(3)).waitFor();
});

it('a signature meanwhile does not close the question, which tells what went wrong', async () => {
  const { id, signers } = await setup.stage.send(2, { title: 'Signed meanwhile' });
  const page = await setup.signedIn(PHONE, `/app/requests/${id}`);
  const { all } = texts.request;
  const [unmailed, other] = signers;
  if (!other) throw new Error('There are two signers.');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/signers/${unmailed?.id}/resend`, (route) => released.then(() => route.abort()));
  await page.getByRole('button', { name: all.label }).click();
  await page.locator('dialog').getByRole('button', { name: all.label }).press('Enter');
  await setup.stage.sign(other);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const card = page.locator('.signer', { hasText: other.email });
  await card.getByText(texts.signerStatuses.signed).first().waitFor();
  release();
  await page.locator('dialog').getByRole('alert').getByText(texts.problems.connection_failed).waitFor();
});

it('nobody is said to be mailed if the request was declined meanwhile', async () => {
  const { id, signers } = await setup.stage.send(2, { title: 'Declined meanwhile' });
  const page = await setup.signedIn(PHONE, `/app/requests/${id}`);
  const { all, standing } = texts.request;
  await page.getByRole('button', { name: all.label }).click();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/api/v1/signatures/${id}`, (route) => released.then(() => route.continue()));
  await (await setup.stage.verified(first(signers))).decline();
  await page.locator('dialog').getByRole('button', { name: all.label }).press('Enter');
  await page.locator('dialog').getByText(texts.problems.signer_not_active).waitFor();
  release();
  await page.getByText(standing.declined(first(signers).name)).waitFor();
  expect(await page.getByText(all.done).count()).toBe(0);
});

it('a copy as JSON that the browser refuses is not called a fault of the service', async () => {
  const { id } = await setup.stage.send(1, { title: 'Uncopied' });
  const page = await setup.signedIn(PHONE, `/app/requests/${id}`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'));
  });
  await button(page, texts.more);
  await button(page, texts.request.copyJson);
  await page.getByRole('alert').getByText(texts.request.copyRefused).waitFor();
  // The menu would cover it.
  await page.getByRole('button', { name: texts.request.copyJson }).waitFor({ state: 'hidden' });
  await page.locator('button:focus', { hasText: texts.more }).waitFor();
});

it('a request whose invitations are under way says so, and that none could be mailed only once that is known', async () => {
  const { id } = await setup.stage.send(2, { title: 'Under way' });
  const page = await setup.signedIn(DESKTOP);
  const failed = { kind: 'invitation', sent_at: NOW, outcome: 'failed', at: NOW };
  let mails: unknown[] = [];
  await page.route(`**/api/v1/signatures/${id}`, async (route) => {
    const answer = await route.fetch();
    const request: SignatureRequest = await answer.json();
    const signers = request.signers.map((signer) => ({ ...signer, status: 'pending', mails }));
    await route.fulfill({ response: answer, json: { ...request, status: 'pending', signers } });
  });
  await page.getByRole('link', { name: 'Under way' }).click();
  await page.getByText(texts.request.standing.inviting).waitFor();
  expect(await page.getByText(texts.request.standing.pending).count()).toBe(0);
  const sendToAll = page.getByRole('button', { name: texts.request.all.label });
  expect(await sendToAll.count()).toBe(0);
  mails = [failed];
  await page.reload();
  await page.getByText(texts.request.standing.pending).waitFor();
  await sendToAll.waitFor();
});

it('a request whose time has ended is called so and not waited for, though the daily job has not ended it yet', async () => {
  const { id } = await setup.stage.send(1, { title: 'Overdue' });
  const page = await setup.signedIn(DESKTOP);
  const row = page.getByRole('row').filter({ hasText: 'Overdue' });
  const until = texts.list.until('');
  await row.getByText(until).waitFor();
  await page.route('**/api/v1/signatures?*', async (route) => {
    const answer = await route.fetch();
    const list: { data: object[] } = await answer.json();
    const data = list.data.map((summary) => ({ ...summary, is_expired: true }));
    await route.fulfill({ response: answer, json: { ...list, data } });
  });
  await page.reload();
  await row.getByText(texts.statuses.expired).waitFor();
  expect(await row.getByText(until).count()).toBe(0);
  const late = page.getByText(texts.list.expiredLate);
  expect(await late.count()).toBe(0);
  const filter = page.getByLabel(texts.list.status);
  await filter.selectOption('sent');
  await late.waitFor();
  await row.getByText(texts.statuses.expired).waitFor();
  await check(page, 'expired-among-sent');
  await filter.selectOption('expired');
  await page.locator('.empty').getByText(texts.list.nothingFound).waitFor();
  await late.waitFor();
  await filter.selectOption('');
  await row.waitFor();
  await page.route(`**/api/v1/signatures/${id}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), is_expired: true } });
  });
  await page.getByRole('link', { name: 'Overdue' }).click();
  await page.getByText(texts.request.standing.expired('').split('.')[0] ?? '').waitFor();
  expect(await page.locator('.request-state').textContent()).toBe(texts.statuses.expired);
  expect(await page.getByRole('button', { name: texts.sendAgain }).count()).toBe(0);
});

it('a failed sealing is said plainly, and a request is copied as JSON without what would let its reader sign', async () => {
  const { id } = await setup.stage.send(1, { title: 'Statutes' });
  const page = await setup.signedIn(DESKTOP, `/app/requests/${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, texts.more);
  await button(page, texts.request.copyJson);
  await page.getByText(texts.copied).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toMatchObject({ id, title: 'Statutes' });
  expect(copied).not.toMatch(/access_token|sign_url/);

  await page.route(`**/api/v1/signatures/${id}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), status: 'stamp_failed' } });
  });
  await page.getByText(texts.request.standing.sealingFailed).waitFor();
  await check(page, 'sealing-failed');
});

it('the effect of an action is shown even if its response was lost', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/keys');
  const { keys } = texts.settings;
  await page.getByLabel(keys.name, { exact: true }).waitFor();
  await page.route('**/api/app/v1/api-keys', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByLabel(keys.name, { exact: true }).fill('Unanswered');
  await button(page, keys.create);
  await page.getByRole('row').filter({ hasText: 'Unanswered' }).first().waitFor();
  await page.getByText(texts.problems.connection_failed).waitFor();
});

it('a request that someone else has cancelled shows it at once when cancelling it is refused', async () => {
  const request = await setup.stage.send(1, { title: 'Ended' });
  const page = await setup.signedIn();
  // A page that nobody sees does not ask from time to time.
  await page.addInitScript(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
  await page.goto(`${setup.stage.service.baseUrl}/app/requests/${request.id}`);
  await button(page, texts.more);
  await button(page, texts.request.cancel);
  await setup.stage.cancel(request.id);
  await button(page, texts.request.cancelling.submit);
  await page.getByText(texts.statuses.cancelled, { exact: true }).waitFor();
});

it('the reason of a signer who declined keeps its lines', async () => {
  const { id } = await setup.stage.send(1, { title: 'Refused' });
  const page = await setup.signedIn();
  await page.route(`**/api/v1/signatures/${id}`, async (route) => {
    const answer = await route.fetch();
    const request: SignatureRequest = await answer.json();
    const signers = request.signers.map((signer) => ({
      ...signer,
      decline_reason: 'Too dear.\nAnd too late.',
    }));
    await route.fulfill({ response: answer, json: { ...request, signers } });
  });
  await page.getByRole('link', { name: 'Refused' }).click();
  expect(await page.locator('.reason').textContent()).toBe('Too dear.\nAnd too late.');
});

it('the error of an action disappears with the next action, and a list that cannot be reloaded says so', async () => {
  await setup.stage.send(1, { title: 'Delivered' });
  const page = await setup.signedIn(DESKTOP, '/app/settings/webhooks');
  const { webhooks } = texts.settings;
  const refuse = (path: string, error: string) =>
    page.route(path, (route) => route.fulfill({ status: 403, json: { error, message: 'Refused.' } }));
  await refuse('**/api/v1/webhook-endpoints/*/test', 'endpoint_paused');
  await button(page, webhooks.test);
  await page.getByText(texts.problems.endpoint_paused).waitFor();
  await button(page, webhooks.pause);
  await button(page, webhooks.resume);
  await page.getByText(texts.problems.endpoint_paused).waitFor({ state: 'detached' });
  await button(page, webhooks.deliveries);
  await page.getByText('signature_request.').first().waitFor();
  await refuse('**/api/v1/webhook-endpoints/*/deliveries*', 'forbidden');
  await button(page, webhooks.reload);
  await page.getByText(texts.problems.forbidden).waitFor();
  await page.getByText('signature_request.').first().waitFor();
});
