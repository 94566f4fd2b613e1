import { LIMITS } from '../shared/contract/limits.ts';
import { OWN_LIMITS } from './cost/capacity.ts';
import { markdownTable } from './cost/markdown-table.ts';

/** The limits that clients plan with; the reference has those of every field. */

const characters = (most: number) => `${most.toLocaleString('en')} characters`;

const limitsTable = (): string =>
  markdownTable(
    ['what', 'at most'],
    [
      ['signers of a request', LIMITS.signers],
      ['the PDF, decoded', `${LIMITS.documentBytes.toLocaleString('en')} bytes`],
      ['`title`', characters(LIMITS.titleLength)],
      ['`message`', characters(LIMITS.messageLength)],
      ['names of signers', characters(LIMITS.nameLength)],
      ['e-mail addresses', characters(LIMITS.emailLength)],
      ['`document.filename`', characters(LIMITS.filenameLength)],
      ['`reference`', characters(LIMITS.referenceLength)],
      ['reasons', characters(LIMITS.reasonLength)],
      ['`metadata`, as it is sent', `${LIMITS.metadataBytes.toLocaleString('en')} bytes`],
      ['`Idempotency-Key`', characters(LIMITS.idempotencyKeyLength)],
      ['`return_url`', characters(LIMITS.returnUrlLength)],
      ['`url` of a webhook endpoint, as a URI', characters(LIMITS.webhookUrlLength)],
      ['webhook endpoints of an owner, in live and test mode apart', LIMITS.webhookEndpoints],
      ['`expires_in_days`', `${LIMITS.expiryDays}, which is the default`],
      ['entries of a page', `${LIMITS.pageSize}; ${LIMITS.defaultPageSize} by default`],
      [
        '`audit_trail.events` of an answer',
        `the newest ${LIMITS.eventsInAnswer.toLocaleString('en')}; \`Audit-Trail-Truncated: true\` says that there are more`,
      ],
      [
        'addresses that an owner without a subscription mails in test mode, a day',
        LIMITS.testAddressesPerDay,
      ],
      [
        'calls a minute from one network: an IPv4 address, or the first half of an IPv6 one',
        OWN_LIMITS.callsAMinuteAndAddress.toLocaleString('en'),
      ],
    ],
  );

/** The page with its table of limits replaced by the current one. */
export const limitsPage = (page: string): string =>
  page.replace(/^\| what \| at most \|\n(?:\|.*\n)+/m, () => `${limitsTable()}\n`);
