import {
  GetAccountSendingEnabledCommand,
  GetIdentityDkimAttributesCommand,
  GetIdentityVerificationAttributesCommand,
  GetSendQuotaCommand,
  SESClient,
} from '@aws-sdk/client-ses';
import { PLACEHOLDER_SENDER, senderAddress } from '../options.ts';
import { type Check, type Finding, note, ok, stop } from './check.ts';

/** Mails a day in the SES sandbox. Outside of it the quota is larger. */
const SANDBOX_QUOTA = 200;

/** Regions in which SES has its DKIM keys in a zone of the region. The API of this client does not name the zone. */
const REGIONS_WITH_DKIM_ZONE = [
  'af-south-1',
  'ap-northeast-3',
  'ap-south-2',
  'ap-southeast-3',
  'ap-southeast-5',
  'ca-west-1',
  'eu-central-2',
  'eu-south-1',
  'il-central-1',
  'me-central-1',
];

const dkimZone = (region: string): string =>
  REGIONS_WITH_DKIM_ZONE.includes(region) ? `dkim.${region}.amazonses.com` : 'dkim.amazonses.com';

const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1);

/** Identities that SES accepts for a sender: the address, its domain, or a domain above. */
function identitiesOf(address: string): string[] {
  const labels = domainOf(address).split('.');
  return [address, ...labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))];
}

export const sender: Check = {
  name: 'Sender',
  actions: ['ses:GetIdentityVerificationAttributes', 'ses:GetIdentityDkimAttributes'],
  run: async ({ options, region, settings }) => {
    const address = senderAddress(options.mailFrom);
    if (options.mailFrom === PLACEHOLDER_SENDER)
      return stop(
        'There is no sender.',
        "Name yours, as in the deployment: -c mailFrom='Acme <sign@example.com>'.",
      );
    const ses = new SESClient(settings());
    const { VerificationAttributes = {} } = await ses.send(
      new GetIdentityVerificationAttributesCommand({ Identities: identitiesOf(address) }),
    );
    const identity = identitiesOf(address).find(
      (candidate) => VerificationAttributes[candidate]?.VerificationStatus === 'Success',
    );
    if (identity === undefined) {
      const pending = identitiesOf(address).find((candidate) => candidate in VerificationAttributes);
      const [verb, name] = pending ? ['get', pending] : ['create', domainOf(address)];
      return stop(
        `SES has not verified ${address} in ${region}.`,
        `aws sesv2 ${verb}-email-identity --email-identity ${name} --region ${region}\n${
          pending?.includes('@')
            ? 'Then follow the link that AWS mailed to it.'
            : 'Then set the three CNAME records (docs/deploy.md), and wait until SES has seen them.'
        }`,
      );
    }
    return [ok(`${address}, verified by ${identity}.`), await dkim(ses, identity, region)];
  },
};

async function dkim(ses: SESClient, identity: string, region: string): Promise<Finding> {
  const { DkimAttributes = {} } = await ses.send(
    new GetIdentityDkimAttributesCommand({ Identities: [identity] }),
  );
  const found = DkimAttributes[identity];
  if (found?.DkimEnabled && found.DkimVerificationStatus === 'Success')
    return ok(`Mails of ${identity} are signed with DKIM.`);
  const records = (found?.DkimTokens ?? []).map(
    (token) => `${token}._domainkey.${domainOf(identity)} CNAME ${token}.${dkimZone(region)}`,
  );
  return note(
    `Mails of ${identity} are not signed with DKIM (${found?.DkimVerificationStatus ?? 'not set up'}); many mailboxes will refuse them.`,
    records.length > 0
      ? `Set these records, and wait until SES has seen them:\n${records.join('\n')}`
      : 'Verify the whole domain by DKIM (docs/deploy.md).',
  );
}

export const sending: Check = {
  name: 'Sending',
  actions: ['ses:GetAccountSendingEnabled'],
  run: async ({ region, settings }) => {
    const { Enabled } = await new SESClient(settings()).send(new GetAccountSendingEnabledCommand({}));
    return Enabled
      ? ok('Switched on.')
      : stop(
          `Switched off for the account in ${region}.`,
          `If you did it: aws ses update-account-sending-enabled --enabled --region ${region}\nElse AWS did; read its mail to the account.`,
        );
  },
};

export const sandbox: Check = {
  name: 'SES sandbox',
  actions: ['ses:GetSendQuota'],
  run: async ({ settings }) => {
    const { Max24HourSend = 0, MaxSendRate = 0 } = await new SESClient(settings()).send(
      new GetSendQuotaCommand({}),
    );
    // SES writes an unlimited quota as -1.
    const isUnlimited = Max24HourSend < 0;
    const told = `${isUnlimited ? 'any number of' : Max24HourSend} mails a day, ${MaxSendRate} a second`;
    return isUnlimited || Max24HourSend > SANDBOX_QUOTA
      ? ok(`The account has left it: ${told}.`)
      : note(
          `The account is in it: ${told}, and only to verified addresses.`,
          'Enough for a trial with your own address. For others ask AWS to leave it: aws sesv2 put-account-details (docs/deploy.md).',
        );
  },
};
