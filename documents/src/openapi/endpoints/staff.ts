import { correctionRefusals } from '@covalence/billing/staff/check-correction';
import type { EndpointDocument, EndpointDocuments } from '../endpoint-document.ts';
import { pagesize, profileidInPath, reason, revision, siteid } from '../parameters.ts';
import { membership } from '../samples.ts';

const id = { ...profileidInPath, description: 'The member.' };

const also = [409] as const;

const standing = (description: string): EndpointDocument => ({
  tag: 'Staff',
  description,
  parameters: { id, reason, revision },
  also,
  example: {
    request: { id: '1002', reason: 'Fits the terms' },
    answer: { id: 1002, changed: true, userstatus: 'approved', suspended: false, deleted: false },
  },
});

const text = (description: string): EndpointDocument => ({
  tag: 'Staff',
  description,
  parameters: { id, field: { description: 'Name of the text’s field.' }, reason, revision },
  also,
  example: {
    request: { id: '1002', field: 'headline' },
    answer: { id: 1002, field: 'headline', changed: true },
  },
});

const photo = (description: string): EndpointDocument => ({
  tag: 'Staff',
  description,
  parameters: { photoid: { description: 'The photo.' }, reason, revision },
  also,
  example: { request: { photoid: '4711' }, answer: { id: 1002, photoid: 4711, changed: true } },
});

const report = {
  member: 1002,
  ...membership,
  package_id: 1,
  rate_id: 101,
  started_at: '2026-03-01T12:00:00.000Z',
  renewal_failed_at: null,
  ledger: [
    {
      id: '1002:purchase:1',
      kind: 'purchase',
      amount: 2999,
      currency: 'USD',
      at: '2026-03-01T12:00:00.000Z',
      package_id: 1,
      rate_id: 101,
    },
  ],
  balance: { USD: 2999 },
  pending: [],
};

const member = { schema: { type: 'integer', minimum: 1 }, description: 'Numeric id of the member.' };

const seconds = (description: string) => ({
  schema: { type: 'integer', minimum: 0, maximum: 1_000_000_000 },
  description,
});

const evidence = {
  evidence_id: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77',
  at: '2026-03-01T12:00:00.000Z',
  id: 1002,
  report_id: '1002:1001',
  reporter: 1001,
  reason: 'Asks for money',
};

/** Customer Service. */
export const staff: EndpointDocuments = {
  'GET /staff/queue': {
    tag: 'Staff',
    description:
      'What waits, oldest first. Entries carry what is to be decided on and a `revision` that names what was shown. `flagged` of reports is 403 without code.',
    parameters: {
      kind: { description: 'What to look at.' },
      siteid,
      older_than: seconds('Waits for so many seconds or longer.'),
      newer_than: seconds('Waits for so many seconds or less.'),
      flagged: { schema: { type: 'boolean' }, description: 'With contact data in a text, or without.' },
      cursor: { description: '`next` of the page before.' },
      pagesize,
    },
    example: {
      request: { kind: 'text' },
      answer: {
        entries: [
          {
            kind: 'text',
            since: '2026-03-01T12:00:00.000Z',
            flagged: false,
            id: 1002,
            texts: [
              { field: 'headline', current: '', proposed: 'Better in person', flags: [], revision: 'm0Wv' },
            ],
          },
        ],
        next: null,
      },
    },
  },
  'GET /staff/members/:id': {
    tag: 'Staff',
    description:
      'A member with what is to be decided on, also where nothing waits; `revision` names what was shown.',
    parameters: { id },
    example: {
      request: { id: '1002' },
      answer: { id: 1002, userstatus: 'approved', texts: { headline: 'Better in person' }, revision: 'm0Wv' },
    },
  },
  'GET /staff/members/:id/history': {
    tag: 'Staff',
    description:
      'Who did what, when and why, newest first. A rejection has the `text`, or the `photo` under an address for staff, for as long as it is kept.',
    parameters: { id, cursor: { description: '`next` of the page before.' }, pagesize },
    example: {
      request: { id: '1002' },
      answer: {
        id: 1002,
        entries: [
          {
            id: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77',
            at: '2026-03-01T12:00:00.000Z',
            staff_id: '019a3f20-1111-7d41-9d0f-5b1f5c1e8a77',
            action: 'approve',
            reason: null,
          },
        ],
        next: null,
      },
    },
  },
  'GET /staff/members/:id/evidence': {
    tag: 'Staff',
    description:
      'What reports keep of a member, newest first, without its content; also of a member who was erased since, by number.',
    parameters: { id, cursor: { description: '`next` of the page before.' }, pagesize },
    example: {
      request: { id: '1002' },
      answer: { id: 1002, entries: [{ ...evidence, photos: 1, messages: 1 }], next: null },
    },
  },
  'GET /staff/evidence/:evidenceid': {
    tag: 'Staff',
    description:
      'Texts, photos and the last messages between reporter and reported as they were when the report was filed. Each look stands in the history of the member.',
    parameters: { evidenceid: { description: 'The evidence.' } },
    example: {
      request: { evidenceid: evidence.evidence_id },
      answer: {
        ...evidence,
        texts: { headline: 'Better in person' },
        pending: {},
        photos: [],
        messages: [{ by: 'reported', text: 'Send me money.', at: '2026-03-01T11:59:00.000Z' }],
      },
    },
  },
  'POST /staff/members/:id/approve': standing('A new or rejected profile becomes approved.'),
  'POST /staff/members/:id/reject': standing(
    'A new or approved profile becomes rejected; the reason is required.',
  ),
  'POST /staff/members/:id/suspend': standing(
    'Tokens, sockets and sessions end at once, and open reports are closed.',
  ),
  'POST /staff/members/:id/unsuspend': standing(
    'The member may sign in again, and reports that the suspension closed are open again; tokens from before stay ended.',
  ),
  'POST /staff/members/:id/delete': standing('Nobody sees the member any more, and they cannot sign in.'),
  'POST /staff/members/:id/texts/:field/approve': text('The text that waits becomes current.'),
  'POST /staff/members/:id/texts/:field/reject': text(
    'The text that waits is dropped, a flagged one taken away.',
  ),
  'POST /staff/photos/:photoid/approve': photo('Others see it; the first approved one becomes primary.'),
  'POST /staff/photos/:photoid/reject': photo('Nobody sees it any more; it is kept for a later approval.'),
  'POST /staff/reports/:reportid/close': {
    tag: 'Staff',
    description: 'The report was looked at; what else is to be done is decided on the member.',
    parameters: { reportid: { description: 'The report.' }, reason },
    example: { request: { reportid: '1001:1002' }, answer: { report_id: '1001:1002', changed: true } },
  },
  'GET /staff/memberships/:member': {
    tag: 'Staff',
    description: 'The membership of a member with everything that was paid, given back and corrected.',
    parameters: { member },
    example: { request: { member: 1002 }, answer: report },
  },
  'POST /staff/memberships/:member/correct': {
    tag: 'Staff',
    description:
      'Sets the end, the renewal or the rate, or gives a payment back; the reason stands in the ledger. A refusal says why: no reason, nothing to correct, an unknown member, rate or payment, an end that is past or more than two years ahead, a member without a membership where the end or the rate is missing, an Idempotency-Key of another correction, a payment that cannot be refunded.',
    parameters: {
      member,
      reason,
      expires_at: { description: 'The new end, up to two years ahead; `now` ends it.' },
      autorenew: { schema: { type: 'boolean' }, description: 'Whether it is renewed.' },
      rate_id: { schema: { type: 'integer', minimum: 1 }, description: 'The new rate.' },
      refund: { description: 'Key of a payment to give back in full.' },
    },
    refusals: Object.values(correctionRefusals),
    example: { request: { member: 1002, reason: 'Double charge', autorenew: false }, answer: report },
  },
};
