import { encode } from 'fast-png';
import { LIMITS } from '../../shared/contract/limits.ts';
import type { Me } from '../../web/app/contract.ts';
import { until } from '../support/until.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { button, check, dashboardSetup, drop, texts, USER } from './dashboard-setup.ts';

/** Faults in the settings are said, and nothing that was entered is lost. */

const setup = dashboardSetup();

it('an address of a brand is stored without what nobody sees', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { fields } = texts.settings.brand;
  await page.getByLabel(fields.support_url).fill('https://help.example.com/\u200b');
  await button(page, texts.save);
  await page.getByText(texts.saved).waitFor();
  await page.reload();
  await until(
    async () => (await page.getByLabel(fields.support_url).inputValue()) === 'https://help.example.com/',
    'the stored address',
  );
});

it('a link to an address, as browsers copy it, is pasted as the address', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  const email = page.getByLabel(texts.email);
  await email.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'mailto:ann@example.com');
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByText(texts.create.pasted(1)).waitFor();
  expect(await email.inputValue()).toBe('ann@example.com');
});

it('the form takes a logo of every size that the service takes', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { logoFault, removeLogo } = texts.settings.brand;
  const sized = (bytes: number) => ({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(bytes),
  });
  await page.locator('#logo').setInputFiles(sized(LIMITS.logoBytes + 1));
  await page.getByText(logoFault).waitFor();
  await page.locator('#logo').setInputFiles(sized(LIMITS.logoBytes));
  await page.getByRole('button', { name: removeLogo }).waitFor();
  expect(await page.getByText(logoFault).count()).toBe(0);
});

it('nothing is said to be saved beside an entry that is refused before it is sent', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { brand, sections, notices } = texts.settings;
  const saved = page.getByText(texts.saved);
  await page.getByLabel(brand.fields.display_name).fill('Kotilinna');
  await button(page, texts.save);
  await saved.waitFor();
  const file = { name: 'logo.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') };
  await page.locator('#logo').setInputFiles(file);
  await page.getByText(brand.logoFault).waitFor();
  expect(await saved.count()).toBe(0);

  await page.getByRole('link', { name: sections.notices, exact: true }).click();
  await page.getByLabel(notices.notify).fill(USER);
  await button(page, texts.save);
  await saved.waitFor();
  await page.getByLabel(notices.notify).fill('office@');
  await button(page, texts.save);
  await page.getByText(texts.problems.invalid_signer_email).waitFor();
  expect(await saved.count()).toBe(0);
});

it('a logo that is refused takes the place of the one chosen before, which is then not saved', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { brand, unsaved } = texts.settings;
  const logo = encode({ width: 8, height: 2, channels: 3, depth: 8, data: new Uint8Array(48) });
  const choose = (mimeType: string) =>
    page.locator('#logo').setInputFiles({ name: 'logo', mimeType, buffer: Buffer.from(logo) });
  await choose('image/png');
  await page.locator('.brand-picture .brand-logo').waitFor();
  await choose('image/gif');
  await page.getByText(brand.logoFault).waitFor();
  expect(await page.locator('.brand-picture .brand-logo').count()).toBe(0);
  expect(await page.getByText(unsaved).count()).toBe(0);
});

it('a chosen logo is named by its field until it is removed, and one that cannot be read is refused', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const input = page.locator('#logo');
  const logo = encode({ width: 8, height: 2, channels: 3, depth: 8, data: new Uint8Array(48) });
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(logo) };
  await input.setInputFiles(file);
  const remove = page.getByRole('button', { name: texts.settings.brand.removeLogo });
  await remove.waitFor();
  expect(await input.inputValue()).toMatch(/logo\.png$/);
  // Its words stand below the field, not in the middle of the form.
  const [field, link] = [await input.boundingBox(), await remove.boundingBox()];
  expect(link?.width).toBeLessThan((field?.width ?? 0) / 2);
  expect(link?.x).toBe(field?.x);
  await remove.click();
  expect(await input.inputValue()).toBe('');

  await input.setInputFiles(file);
  await remove.waitFor();
  await page.evaluate(() => {
    const read = File.prototype.arrayBuffer;
    const held = Promise.withResolvers<void>();
    File.prototype.arrayBuffer = async function () {
      const bytes = await read.call(this);
      await held.promise;
      return bytes;
    };
    Object.assign(window, { goOn: held.resolve });
  });
  await input.setInputFiles({ ...file, name: 'slow.png' });
  await remove.click();
  await page.evaluate(async () => {
    Reflect.get(window, 'goOn')();
    await new Promise((resolve) => setTimeout(resolve));
  });
  expect(await remove.count()).toBe(0);

  await page.evaluate(() => {
    File.prototype.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  });
  await input.setInputFiles(file);
  await page.getByText(texts.problems.file_unreadable).waitFor();
});

it('what is entered in the settings is kept, and said to be unsaved, while another section is looked at', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { sections, notices, unsaved } = texts.settings;
  const section = (name: string) => page.getByRole('link', { name, exact: true }).click();
  const name = page.locator('#display_name');
  await name.fill('Acme Legal');
  await section(sections.notices);
  await page.getByLabel(notices.notify).fill('legal@example.com');
  await section(sections.brand);
  await page.getByText(unsaved).waitFor();
  expect(await name.inputValue()).toBe('Acme Legal');
  await check(page, 'brand-unsaved');
  await section(sections.notices);
  expect(await page.getByLabel(notices.notify).inputValue()).toBe('legal@example.com');

  await page.locator('.account-button').click();
  await page.getByRole('radio', { name: USER }).click();
  await section(sections.brand);
  await name.waitFor();
  expect(await name.inputValue()).not.toBe('Acme Legal');
  expect(await page.getByText(unsaved).count()).toBe(0);
});

it('unsaved entries of the settings are discarded on request, with the faults and the chosen file', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { unsaved, discard, discarded, brand } = texts.settings;
  const name = page.locator('#display_name');
  await name.waitFor();
  const before = await name.inputValue();
  await name.fill('Acme Legal');
  await page.getByText(unsaved).waitFor();
  await name.fill(before);
  await page.getByText(unsaved).waitFor({ state: 'detached' });
  await name.fill('Acme Legal');
  await page.locator('#logo').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture at all'),
  });
  await button(page, texts.save);
  await page.getByText(brand.logoFault).waitFor();
  await check(page, 'settings-discard');
  await button(page, discard);
  await page.getByText(discarded).waitFor();
  expect(await name.inputValue()).toBe(before);
  expect(await page.locator('#logo').inputValue()).toBe('');
  expect(await page.getByText(brand.logoFault).count()).toBe(0);
  expect(await page.getByText(unsaved).count()).toBe(0);
  await page.locator('button:focus', { hasText: texts.save }).waitFor();
});

it('a section stays open while a value in it is corrected', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/new');
  await page.getByText(texts.more, { exact: true }).click();
  const days = page.getByLabel(texts.create.days);
  await days.fill('31');
  await page.getByText(texts.more, { exact: true }).click();
  await days.waitFor({ state: 'hidden' });
  await button(page, texts.create.toReview);
  await days.waitFor();
  expect(await page.getByText(texts.create.faults.days).count()).toBe(1);
  await days.press('End');
  await days.press('Backspace');
  await days.press('0');
  expect(await page.locator('#days:focus').inputValue()).toBe('30');
});

it('a picture dropped on the field of the logo is left to the field', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const prevented = await page.locator('#logo').evaluate((input) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['PNG'], 'logo.png', { type: 'image/png' }));
    return ['dragover', 'drop'].map(
      (type) => !input.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
    );
  });
  expect(prevented).toEqual([false, false]);
  expect(new URL(page.url()).pathname).toBe('/app/settings/brand');
  expect(await page.getByText(texts.create.dropHere).count()).toBe(0);
});

it('a key that is shown once stays until its reader has stored it, whatever is pressed or dropped meanwhile', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/keys');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByLabel(texts.settings.keys.name, { exact: true }).fill('Once');
  await page.keyboard.press('Enter');
  const secret = page.locator('dialog output');
  const key = await secret.textContent();
  await page.keyboard.press('Enter');
  await page.locator('dialog').getByText(texts.copied).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  // Some browsers close a dialog on the second, whatever the page says to the first.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await drop(page, 'Rent.pdf', setup.contract.toString('base64'))).toEqual([true, true]);
  expect(await secret.isVisible()).toBe(true);
  expect(new URL(page.url()).pathname).toBe('/app/settings/keys');
  await button(page, texts.settings.secretKept);
  await secret.waitFor({ state: 'detached' });
});

it.each([
  ['keys', 'api-keys', texts.settings.keys.name, 'Payroll', texts.settings.keys.create],
  [
    'webhooks',
    'webhook-endpoints',
    texts.settings.webhooks.url,
    'https://a.example',
    texts.settings.webhooks.create,
  ],
  ['members', 'members', texts.email, 'kim@example.com', texts.settings.members.add],
])(
  'in the settings of %s, the next entry is kept that is typed while the one before is sent',
  async (section, path, label, first, create) => {
    const page = await setup.signedIn(DESKTOP, `/app/settings/${section}`);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/v1/${path}`, async (route) => {
      if (route.request().method() === 'POST') await released;
      await route.continue();
    });
    const field = page.getByLabel(label, { exact: true });
    await field.fill(first);
    await button(page, create);
    await field.fill('next');
    release();
    await page.getByText(first).first().waitFor();
    expect(await field.inputValue()).toBe('next');
  },
);

it('what was entered in the settings outlives a lost connection, which is tried again by itself', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/notices');
  const notify = page.getByLabel(texts.settings.notices.notify);
  await notify.fill('notices@example.com');
  await page.context().setOffline(true);
  await button(page, texts.save);
  await page.getByText(texts.connection.lost).waitFor();
  await button(page, texts.connection.tryNow);
  await page.context().setOffline(false);
  await page.getByText(texts.connection.lost).waitFor({ state: 'hidden' });
  expect(await notify.inputValue()).toBe('notices@example.com');
});

it('while the file of the settings is slow their heading has the focus, and the page says that it loads only if that lasts', async () => {
  const page = await setup.signedIn();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/sections-*.js', (route) => released.then(() => route.continue()));
  await page.getByRole('link', { name: texts.nav.settings, exact: true }).click();
  const { sections, keys } = texts.settings;
  await page.locator('h1:focus', { hasText: `${texts.nav.settings} – ${sections.keys}` }).waitFor();
  expect(await page.title()).toContain(sections.keys);
  const status = page.locator('.loading[role="status"]');
  expect(await status.textContent()).toBe('');
  await status.getByText(texts.loading, { exact: true }).waitFor();
  await page.goBack();
  await page.locator('h1:focus', { hasText: texts.nav.requests }).waitFor();
  await page.goForward();
  await page.locator('h1:focus', { hasText: texts.nav.settings }).waitFor();
  await page.getByRole('link', { name: sections.sessions }).click();
  await page.locator('h1:focus', { hasText: sections.sessions }).waitFor();
  release();
  await page.getByText(texts.settings.sessions.intro).waitFor();
  await page.goBack();
  await page.getByText(keys.intro).waitFor();
  await page.locator('h1:focus', { hasText: sections.keys }).waitFor();
});

it('settings whose file does not come say so, and come once it can be loaded', async () => {
  const page = await setup.signedIn();
  await page.route('**/assets/sections-*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: texts.nav.settings, exact: true }).click();
  const { sections, keys } = texts.settings;
  await page.locator('h1:focus', { hasText: `${texts.nav.settings} – ${sections.keys}` }).waitFor();
  await page.getByRole('alert').getByText(texts.trouble.notLoaded).waitFor();
  await check(page, 'settings-not-loaded');
  await page.context().setOffline(true);
  await button(page, texts.trouble.again);
  await page.getByText(texts.connection.lost).waitFor();
  await page.getByText(texts.trouble.notLoaded).waitFor();
  await page.context().setOffline(false);
  await page.unroute('**/assets/sections-*.js');
  await button(page, texts.trouble.again);
  await page.getByText(keys.intro).waitFor();
});

it('a refused brand says why at its field until that is changed, and what is typed while it is saved stays to be saved', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/brand');
  const { brand } = texts.settings;
  const zone = page.locator('#time_zone');
  await zone.fill('Berlin');
  await button(page, texts.save);
  await page.getByText(brand.zoneFault).waitFor();
  await page.locator('#time_zone:focus').waitFor();
  await page.getByText(texts.problems.invalid_request).waitFor();
  await check(page, 'brand-refused');

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/app/v1/brand', (route) => released.then(() => route.continue()));
  await page.getByLabel(brand.fields.display_name).fill('Acme');
  expect(await page.getByText(brand.zoneFault).count()).toBe(1);
  await zone.fill('Europe/Berlin');
  await page.getByText(brand.zoneFault).waitFor({ state: 'detached' });
  await button(page, texts.save);
  await page.getByLabel(brand.fields.support_url).fill('https://acme.example/help');
  release();
  await page.getByText(texts.saved).waitFor();
  expect(await page.getByLabel(brand.fields.support_url).inputValue()).toBe('https://acme.example/help');
});

it('administrators are asked before they take their own rights, and lose those pages at once', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/members');
  const { members } = texts.settings;
  const role = page.getByRole('combobox', { name: `${members.role}: ${USER}` });
  await role.focus();
  await role.selectOption('member');
  await page.getByText(members.stepDownQuestion).waitFor();
  expect(await role.inputValue()).toBe('admin');
  await button(page, members.stepDown);
  await page.getByText(texts.problems.last_admin).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await role.evaluate((select) => select === document.activeElement)).toBe(true);

  // As if there were another administrator.
  await page.route('**/api/app/v1/members/*', (route) => route.fulfill({ json: {} }));
  await page.route('**/api/app/v1/me', (route) => route.fulfill({ status: 503, json: {} }));
  await role.selectOption('member');
  await button(page, members.stepDown);
  await page.getByText(texts.saved).waitFor();
  expect(await role.isVisible()).toBe(true);
  await page.unroute('**/api/app/v1/me');
  await page.route('**/api/app/v1/me', async (route) => {
    const answer = await route.fetch();
    const me: Me = await answer.json();
    const owners = me.owners.map((owner) => ({ ...owner, role: 'member' }));
    await route.fulfill({ response: answer, json: { ...me, owners } });
  });
  await role.focus();
  await role.selectOption('member');
  await button(page, members.stepDown);
  await page.getByText(texts.settings.adminsOnly).waitFor();
  await role.waitFor({ state: 'detached' });
  await page.locator('h1:focus', { hasText: texts.nav.settings }).waitFor();
});

it('an item that someone else has removed disappears once removing it is refused', async () => {
  const page = await setup.signedIn(DESKTOP, '/app/settings/webhooks');
  const { webhooks } = texts.settings;
  const address = 'https://gone.example.com/hook';
  await page.getByLabel(webhooks.url).fill(address);
  await page.getByLabel(webhooks.url).press('Enter');
  await button(page, texts.settings.secretKept);
  const endpoint = page.getByRole('article', { name: address });
  await endpoint.waitFor();
  const { client } = setup.stage;
  const { body } = await client.get('/api/v1/webhook-endpoints');
  const { id } = body.data.find(({ url }: { url: string }) => url === address);
  await client.call('DELETE', `/api/v1/webhook-endpoints/${id}`);
  await endpoint.getByRole('button', { name: texts.remove }).click();
  await button(page, texts.remove);
  await endpoint.waitFor({ state: 'detached' });
  await page.locator('dialog').waitFor({ state: 'detached' });
});

it('on a phone each value in a table of the settings stands beside the name of its column', async () => {
  const page = await setup.signedIn(PHONE, '/app/settings');
  const labels = () =>
    page
      .locator('.rows tr')
      .last()
      .locator('td')
      .evaluateAll((cells) =>
        cells.map((cell) => getComputedStyle(cell, '::before').content.split(' / ')[0]),
      );
  const { keys, members, sessions } = texts.settings;
  for (const [section, names] of [
    ['keys', [texts.created, keys.lastUse]],
    ['members', [members.role, texts.since]],
    ['sessions', [texts.since, sessions.until]],
  ] as const) {
    await page.goto(`${setup.stage.service.baseUrl}/app/settings/${section}`);
    await page.locator('.rows').waitFor();
    expect(await labels()).toEqual([...names.map((name) => `"${name}"`), 'none']);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await labels()).toEqual(['none', 'none', 'none']);
});
