import { noticeMails } from '../shared/notices/notice-mails.ts';
import { choicesIn, create } from '../shared/requests/creating.ts';
import {
  NOTICE_REASONS,
  type NoticeReason,
  SENDER,
  type SignatureRequest,
} from '../shared/requests/model.ts';
import { noticeOf } from '../shared/requests/notices.ts';
import { markdownTable } from './cost/markdown-table.ts';

/** Generates the table of notices in docs/notices.md from the mails that the code makes for a sample request. */

interface Cause {
  /** The event, in words. */
  what: string;
  /** The state in which it leaves the request, where it changes it. */
  becomes: string;
  /** Whether the notice is about one of the signers. */
  isAboutSigner: boolean;
}

export const CAUSES: Record<NoticeReason, Cause> = {
  completed: { what: 'all have signed and the document is sealed', becomes: 'signed', isAboutSigner: false },
  declined: { what: 'a signer declines', becomes: 'declined', isAboutSigner: true },
  cancelled: { what: 'the sender, or the operator, cancels', becomes: 'cancelled', isAboutSigner: false },
  expired: { what: 'the time to sign is over', becomes: 'expired', isAboutSigner: false },
  mail_failed: { what: 'a mail to a signer could not be sent', becomes: '', isAboutSigner: true },
  mail_bounced: { what: 'a mail to a signer bounced for good', becomes: '', isAboutSigner: true },
  mail_complained: {
    what: 'a mail to a signer was reported as spam',
    becomes: '',
    isAboutSigner: true,
  },
  code_entry_ended: { what: 'code entry ends for a signer', becomes: '', isAboutSigner: true },
  sealing_failed: { what: 'the seal was given up', becomes: 'stamp_failed', isAboutSigner: false },
};

export const ROLES = ['sender', 'about', 'invited', 'not_invited'] as const;
export type Role = (typeof ROLES)[number];

const HEADINGS: Record<Role, string> = {
  sender: 'sender',
  about: 'the signer whom it is about',
  invited: 'signers whose invitation was sent',
  not_invited: 'signers whose invitation was not sent',
};

export const TITLE = '…';
const SIGNERS = ['about', 'invited', 'not_invited'] as const;

function sample(reason: NoticeReason): SignatureRequest {
  const owner = {
    id: 'owner',
    type: 'organization',
    name: 'Sender',
    mode: 'live',
    archive: false,
    reminders: true,
  } as const;
  const content = {
    message: '',
    metadataJson: '{}',
    filename: 'document.pdf',
    documentSize: 1,
    documentSha256: '',
    documentKey: '',
    pageCount: 1,
    alreadySigned: false,
    attachments: null,
    returnUrl: null,
  };
  const { request } = create(
    {
      id: 'request',
      owner,
      ...choicesIn({ title: TITLE }),
      locale: 'en',
      createdBy: null,
      content,
      signers: SIGNERS.map((role) => ({
        id: role,
        email: `${role}@example.com`,
        name: null,
        locale: 'en',
        accessToken: role,
        codeHash: '',
      })),
    },
    new Date(0),
  );
  const isSealed = reason === 'completed';
  return {
    ...request,
    state: {
      ...request.state,
      status: isSealed ? 'signed' : reason === 'sealing_failed' ? 'stamp_failed' : 'opened',
      endedAt: isSealed ? request.state.createdAt : null,
    },
    signers: request.signers.map((signer) => ({
      ...signer,
      sentAt: signer.id === 'not_invited' ? null : request.state.createdAt,
      status: isSealed ? 'signed' : 'sent',
      ...(reason === 'code_entry_ended' && {
        wrongCodes: Array<string>(20).fill(request.state.createdAt),
      }),
    })),
  };
}

interface Row {
  reason: NoticeReason;
  /** The subject of each role's mail; null without one. */
  subjects: Record<Role, string | null>;
}

const SAMPLE_SENDER: Parameters<typeof noticeMails>[1] = {
  owner: {
    id: 'owner',
    type: 'organization',
    name: 'Sender',
    subscription: 'active',
    archive: false,
    reminders: true,
    notify: 'sender@example.com',
    signerNotices: true,
    webhookUrl: null,
    webhookSecretCiphertext: null,
    createdAt: '2026-11-21T12:00:00.000Z',
    version: 1,
  },
  maker: null,
  locale: 'en',
};

function rowOf(reason: NoticeReason): Row {
  const request = sample(reason);
  const about = CAUSES[reason].isAboutSigner ? request.signers.slice(0, 1) : [];
  const notice = { ...noticeOf(reason, request, about), createdAt: request.state.createdAt };
  const mails = noticeMails(request, SAMPLE_SENDER, notice, {
    baseUrl: 'https://example.com',
    newToken: () => 'token',
    now: () => new Date(notice.createdAt),
  });
  const subjectTo = (recipient: string) =>
    mails.find((mail) => mail.recipient === recipient)?.content.subject ?? null;
  return {
    reason,
    subjects: {
      sender: subjectTo(SENDER),
      about: about.length > 0 ? subjectTo('about') : null,
      invited: subjectTo('invited'),
      not_invited: subjectTo('not_invited'),
    },
  };
}

export const noticeRows = (): Row[] => NOTICE_REASONS.map(rowOf);

const noticesTable = (): string =>
  markdownTable(
    ['what happens', 'request becomes', ...ROLES.map((role) => HEADINGS[role])],
    noticeRows().map(({ reason, subjects }) => {
      const { what, becomes, isAboutSigner } = CAUSES[reason];
      return [
        what,
        becomes && `\`${becomes}\``,
        ...ROLES.map((role) => subjects[role] ?? (role === 'about' && !isAboutSigner ? '' : '–')),
      ];
    }),
  );

/** The page with its table replaced by the current one. */
export const noticesPage = (page: string): string =>
  page.replace(/^(?:\|.*\n)+/m, () => `${noticesTable()}\n`);
