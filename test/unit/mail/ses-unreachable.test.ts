import { once } from 'node:events';
import { Agent } from 'node:http';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { SESClient } from '@aws-sdk/client-ses';
import { jest } from '@jest/globals';
import { sesMailer } from '../../../shared/mail/ses-mailer.ts';
import { MAIL_CLIENT_SETTINGS } from '../../../shared/runtime/clients.ts';

/** With the SDK itself: its time-outs of a connection and of an answer differ only in their words. */

/** As if the network dropped every packet. */
const neverConnects = () => Object.assign(new Socket(), { connecting: true });

async function send(agent: Agent) {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const ses = new SESClient({
    ...MAIL_CLIENT_SETTINGS,
    region: 'eu-west-1',
    endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: {
      connectionTimeout: 50,
      requestTimeout: 100,
      throwOnRequestTimeout: true,
      httpAgent: agent,
    },
  });
  const content = { subject: 'Subject', text: 'Text', html: '<p>Html</p>' };
  const mail = { to: 'anna@example.com', senderName: null, brand: undefined, content, about: null };
  try {
    const mailer = sesMailer(ses, { from: 'sign@example.com', configurationSet: 'mails' });
    return await mailer(mail, new Date(Date.now() + 400));
  } finally {
    agent.destroy();
    silent.close();
  }
}

it.each([
  [
    'a mail is left to a later run if SES cannot be reached',
    Object.assign(new Agent(), { createConnection: neverConnects }),
    true,
  ],
  ['a mail that SES may have taken is not left to a later run', new Agent(), undefined],
])('%s', async (_what, agent, isPostponed) => {
  const logged = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const outcome = await send(agent);
  const lines = logged.mock.calls.flat().join('');
  logged.mockRestore();
  expect(lines).toContain('"error_name":"TimeoutError"');
  expect(outcome).toEqual({ sent: false, error: 'unavailable', isPostponed });
});
