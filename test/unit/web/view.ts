import type { LinkStatus, RequestView } from '../../../web/signing/contract.ts';

export const LINK_STATUS: LinkStatus = {
  signer_status: 'opened',
  locale: 'fi',
  code_expires_at: '2026-11-21T10:10:00.000Z',
  attempts_left: 5,
  locked_until: null,
  code_entry_ended: false,
};

export const VIEW: RequestView = {
  request: {
    id: '8d5b2a52-6e0f-4f0d-9a50-0f8d3a1f7f10',
    title: 'Lease',
    message: '',
    sender_name: 'Kotilinna Oy',
    status: 'opened',
    expires_at: '2026-12-21T10:00:00.000Z',
    return_url: null,
  },
  signer: {
    id: '3c0c4d0e-58a0-4a39-8a0f-1c5d7f7c9a11',
    name: 'Aino Virtanen',
    email: 'aino@example.com',
    status: 'opened',
    locale: 'fi',
    representing_as_invited: null,
  },
  others: { total: 2, signed: 1 },
  document: { filename: 'Lease.pdf', size: 4, sha256: 'a'.repeat(64) },
  consent: { version: '3', locale: 'fi', text: 'Suostun.' },
};

export const viewWith = (change: {
  request?: Partial<RequestView['request']>;
  signer?: Partial<RequestView['signer']>;
  consent?: Partial<RequestView['consent']>;
}): RequestView => ({
  ...VIEW,
  request: { ...VIEW.request, ...change.request },
  signer: { ...VIEW.signer, ...change.signer },
  consent: { ...VIEW.consent, ...change.consent },
});
