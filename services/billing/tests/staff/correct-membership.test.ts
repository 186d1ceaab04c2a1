import { createLogger } from '@covalence/runtime/logger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { PaymentProvider } from '../../src/payments/provider.ts';
import { replacing, startService, type ServiceUnderTest } from '../harness.ts';

const log: string[] = [];
const logger = createLogger('test', 'info', { write: (line: string) => void log.push(line) });
let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('staff', { overrides: { logger } });
});
afterAll(() => billing.close());

const memberId = randomUUID();
const staff = { id: 0, memberId, siteid: 0, scope: 'staff' };
const view = (member: number | string) => billing.get(`/staff/memberships/${member}`, staff);
const correct = (member: number, body: object, key?: string) =>
  billing.post(`/staff/memberships/${member}/correct`, body, staff, key);
const buy = (id: number) => billing.post('/packages/purchase', { package_id: 1, rate_id: 11 }, { id });

describe('GET /staff/memberships/{member}', () => {
  it('shows the membership, the ledger and the total paid', async () => {
    await buy(1);
    const { status, body } = await view(1);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      member: 1,
      membership_status: 'active',
      autorenew: true,
      expirationdate: '2026-07-15T12:00:00.000Z',
      package_id: 1,
      rate_id: 11,
      renewal_failed_at: null,
      ledger: [{ kind: 'purchase', amount: 3000, provider: 'sandbox' }],
      balance: { USD: 3000 },
    });
  });

  it('counts in the members whose data one of the staff reads, as a correction does', async () => {
    billing.profile.views.length = 0;
    await view(1);
    await correct(1, { preview: true, autorenew: false });
    expect(billing.profile.views).toEqual([1, 1]);
    billing.profile.isLimited = true;
    const refused = [await view(1), await correct(1, { preview: true, autorenew: false })];
    billing.profile.isLimited = false;
    expect(refused.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
      [429, '60'],
      [429, '60'],
    ]);
  });

  it('shows a pending payment by the key that webhooks use', async () => {
    const receipt = { package_id: 1, rate_id: 11, receipt: 'delay:3' };
    await billing.post('/packages/purchase', receipt, { id: 3 });
    const { body } = await view(3);
    expect(body).toMatchObject({ membership_status: 'none', ledger: [] });
    const line = { kind: 'purchase', amount: 3000, currency: 'USD', package_id: 1, rate_id: 11 };
    expect(body.pending).toEqual([{ ...line, payment: expect.any(String), at: '2026-06-15T12:00:00.000Z' }]);
    await billing.hook(body.pending[0].payment).expect(200);
    expect((await view(3)).body).toMatchObject({ membership_status: 'active', pending: [] });
  });

  it('reports a missing membership, and requires a member id and staff', async () => {
    expect((await view(2)).body).toMatchObject({ membership_status: 'none', ledger: [], balance: {} });
    expect((await view('abc')).status).toBe(403);
    expect((await billing.get('/staff/memberships/1', { id: 1 })).status).toBe(403);
    expect((await billing.request.get('/staff/memberships/1')).status).toBe(401);
    expect((await billing.post('/staff/memberships/1/correct', {}, { id: 1 })).status).toBe(403);
  });
});

/** The status of a look at a membership, and the refusal of a correction without a reason. */
const statusesOf = async (member: number, roles: Record<string, string[]>) => {
  const caller = { ...staff, roles };
  const shown = await billing.get(`/staff/memberships/${member}`, caller);
  const corrected = await billing.post(`/staff/memberships/${member}/correct`, {}, caller);
  return [shown.status, (corrected.body as { fail: string }).fail];
};

describe('roles of staff', () => {
  const [allowed, refused] = [
    [200, 'Reason Required'],
    [403, 'Forbidden'],
  ];

  it('let support of the member’s site see and correct memberships, and nobody else', async () => {
    billing.profile.sites.set(80, 2);
    expect(await statusesOf(80, { 2: ['support'] })).toEqual(allowed);
    expect(await statusesOf(80, { '*': ['support'] })).toEqual(allowed);
    expect(await statusesOf(80, { 1: ['support'], 2: ['moderator'] })).toEqual(refused);
    expect(await statusesOf(80, { '*': ['moderator', 'search', 'operator'] })).toEqual(refused);
  });

  it('on one site do not reach an unknown member, and need profile to know the site', async () => {
    billing.profile.unknown.add(81);
    expect(await statusesOf(81, { 1: ['support'] })).toEqual(refused);
    billing.profile.isAway = true;
    expect((await billing.get('/staff/memberships/80', { ...staff, roles: { 2: ['support'] } })).status).toBe(
      503,
    );
    expect((await view(80)).status).toBe(200);
    billing.profile.isAway = false;
  });
});

describe('POST /staff/memberships/{member}/correct', () => {
  it('sets the end and stores the reason in the ledger', async () => {
    await buy(10);
    const reason = 'Outage of June 3';
    const { body } = await correct(10, { expires_at: '2026-08-01T00:00:00Z', reason });
    expect(body).toMatchObject({ membership_status: 'active', expirationdate: '2026-08-01T00:00:00.000Z' });
    const line = body.ledger.find(({ kind }: { kind: string }) => kind === 'correction');
    expect(line).toMatchObject({
      amount: 0,
      reason,
      staff: memberId,
      expires_at: '2026-08-01T00:00:00.000Z',
      autorenew: true,
    });
    expect(body.balance).toEqual({ USD: 3000 });
  });

  it('creates a membership for a member without one, and ends one', async () => {
    const given = await correct(11, { rate_id: 21, expires_at: '2026-07-01T00:00:00Z', reason: 'Prize' });
    expect(given.body).toMatchObject({ membership_status: 'active', package_id: 2, autorenew: false });
    const ended = await correct(11, { expires_at: 'now', reason: 'Wrong member' }, 'wrong-11');
    expect(ended.body).toMatchObject({ membership_status: 'none' });
    expect(ended.body.ledger).toHaveLength(2);
    const again = await billing.at('2026-06-15T12:10:00Z', () =>
      correct(11, { expires_at: 'now', reason: 'Wrong member' }, 'wrong-11'),
    );
    expect([again.status, again.body.ledger.length]).toEqual([200, 2]);
  });

  it('accepts an end within the last minute, for slow clocks, and up to two years ahead', async () => {
    const ends = [
      ['2026-06-15T11:59:30Z', 'none'],
      ['2028-06-15T12:00:00Z', 'active'],
    ];
    for (const [expires_at, membership_status] of ends) {
      const { status, body } = await correct(20, { rate_id: 21, expires_at, reason: 'Prize' });
      expect([status, body.membership_status]).toEqual([200, membership_status]);
    }
  });

  it('refuses a member unknown to profile, and answers 503 while profile is down', async () => {
    const body = { rate_id: 21, expires_at: '2026-07-01T00:00:00Z', reason: 'Prize' };
    billing.profile.unknown.add(21);
    const refused = await correct(21, body);
    expect([refused.status, refused.body]).toEqual([403, { fail: 'Member Not Found' }]);
    billing.profile.isAway = true;
    const away = await correct(22, body);
    billing.profile.isAway = false;
    expect([away.status, away.headers['retry-after']]).toEqual([503, '2']);
    for (const member of [21, 22]) expect((await view(member)).body.ledger).toEqual([]);
  });

  it('refunds a deleted member', async () => {
    await buy(23);
    const payment = (await view(23)).body.ledger[0].payment;
    billing.profile.unknown.add(23);
    const { status, body } = await correct(23, { refund: payment, reason: 'Deleted by mistake' });
    expect([status, body.balance]).toEqual([200, { USD: 0 }]);
  });

  it('is applied once per key, even late, and refuses another correction with that key', async () => {
    const first = { rate_id: 21, expires_at: '2026-08-01T00:00:00Z', reason: 'Prize' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => correct(14, first, 'prize-14')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await correct(14, { expires_at: '2026-07-01T00:00:00Z', reason: 'Too long' }, 'too-long');
    const late = await correct(14, first, 'prize-14');
    expect(late.body).toMatchObject({ expirationdate: '2026-07-01T00:00:00.000Z' });
    expect(late.body.ledger).toHaveLength(2);
    for (const change of [{ reason: 'Another' }, { rate_id: 11 }, { expires_at: '2026-09-01T00:00:00Z' }]) {
      expect((await correct(14, { ...first, ...change }, 'prize-14')).status).toBe(403);
    }
    expect((await view(14)).body.ledger).toHaveLength(2);
    await correct(14, first);
    await correct(14, first);
    expect((await view(14)).body.ledger).toHaveLength(4);
  });

  it('is completed by a repetition after a crash', async () => {
    const body = { rate_id: 21, expires_at: '2026-08-01T00:00:00Z', reason: 'Prize' };
    const memberships = { ...billing.context.memberships };
    Object.assign(billing.context.memberships, { write: () => Promise.reject(new Error('killed here')) });
    expect((await correct(15, body, 'half')).status).toBe(500);
    Object.assign(billing.context.memberships, memberships);
    expect((await view(15)).body).toMatchObject({
      membership_status: 'none',
      ledger: [{ kind: 'correction' }],
    });
    const again = await correct(15, body, 'half');
    expect(again.body).toMatchObject({ membership_status: 'active', package_id: 2 });
    expect(again.body.ledger).toHaveLength(1);
  });

  it('refunds a payment once and removes its days', async () => {
    await buy(12);
    const payment = (await view(12)).body.ledger[0].payment;
    const first = await correct(12, { refund: payment, reason: 'Bought by mistake' });
    expect(first.body).toMatchObject({ membership_status: 'none', balance: { USD: 0 } });
    const again = await correct(12, { refund: payment, reason: 'Clicked twice' });
    expect(again.body.ledger.filter(({ kind }: { kind: string }) => kind === 'refund')).toEqual([
      expect.objectContaining({ amount: -3000, reason: 'Bought by mistake', staff: memberId }),
    ]);
    expect((await billing.charged(12)).held).toBe(0);
  });

  it('is recorded as a security event with staff account and member number', async () => {
    await buy(29);
    const payment = (await view(29)).body.ledger[0].payment;
    log.length = 0;
    await correct(29, { refund: payment, autorenew: false, reason: 'Bought by mistake' });
    const events = log
      .map((line) => JSON.parse(line))
      .filter(({ security_event }) => security_event !== undefined);
    const facts = { security_event: 'staff_decision', staff: memberId, member_number: 29 };
    expect(events).toMatchObject([
      { ...facts, reason: 'payment_refunded' },
      { ...facts, reason: 'membership_corrected' },
    ]);
  });

  it('stores the reason of a refund even if the webhook arrives before the response', async () => {
    await buy(16);
    const payment = (await view(16)).body.ledger[0].payment;
    const toldFirst = (own: PaymentProvider): Partial<PaymentProvider> => ({
      async refund(key) {
        const given = await own.refund(key);
        await billing.hook(key).expect(200);
        return given;
      },
    });
    await replacing(billing.provider, toldFirst, async () => {
      const { body } = await correct(16, { refund: payment, reason: 'Bought by mistake' });
      expect(body.ledger.slice(1)).toEqual([
        expect.objectContaining({ amount: -3000, reason: 'Bought by mistake', staff: memberId }),
      ]);
    });
  });

  it.each([
    [1, true],
    ['0', false],
    ['True', true],
    [false, false],
  ])('accepts %j for autorenew', async (autorenew, renews) => {
    await buy(19);
    const { status, body } = await correct(19, { autorenew, reason: 'Asked for' });
    expect([status, body.autorenew]).toEqual([200, renews]);
  });

  it('refunds nothing when the rest of the correction is refused', async () => {
    await buy(17);
    const payment = (await view(17)).body.ledger[0].payment;
    await correct(17, { autorenew: false, reason: 'Asked for' }, 'asked-17');
    const before = (await view(17)).body;
    const unknown = await correct(17, { refund: payment, rate_id: 99, reason: 'x' });
    const other = await correct(17, { refund: payment, autorenew: true, reason: 'x' }, 'asked-17');
    expect([unknown.status, other.status]).toEqual([403, 403]);
    expect((await view(17)).body).toEqual(before);
    expect((await billing.charged(17)).held).toBe(3000);
  });

  it('refuses to refund what the provider does not refund', async () => {
    await billing.post(
      '/packages/purchase',
      { package_id: 1, rate_id: 11, receipt: 'dispute:31' },
      { id: 31 },
    );
    const { body: before } = await view(31);
    const refused = await correct(31, { refund: before.ledger[0].payment, reason: 'x' });
    expect([refused.status, refused.body.fail]).toEqual([403, 'Payment Cannot Be Refunded']);
    expect((await view(31)).body.ledger).toEqual(before.ledger);
  });

  it('refuses to refund a free payment', async () => {
    const trial = { package_id: 2, rate_id: 21, promo_code: 'TRIAL' };
    await billing.post('/packages/purchase', trial, { id: 18 });
    const before = (await view(18)).body;
    const { status } = await correct(18, { refund: before.ledger[0].payment, reason: 'x' });
    expect([status, (await view(18)).body]).toEqual([403, before]);
  });

  it.each([
    ['no reason', { autorenew: false }, 'Reason Required'],
    ['a blank reason', { autorenew: false, reason: '  ' }, 'Reason Required'],
    ['nothing to correct', { reason: 'x' }, 'Nothing To Correct'],
    ['an unknown rate', { rate_id: 99, reason: 'x' }, 'Unknown Rate'],
    ['an end that is past', { expires_at: '2026-06-15T11:58:59Z', reason: 'x' }, 'End Is Past'],
    ['an end in over two years', { expires_at: '2028-06-15T12:00:01Z', reason: 'x' }, 'End Too Far Ahead'],
    ['a year of five digits', { expires_at: '+010000-01-01T00:00:00Z', reason: 'x' }, 'Invalid Argument'],
    ['an unknown payment', { refund: '12:purchase:none', reason: 'x' }, 'Payment Not Found'],
    ['a date that is none', { expires_at: 'soon', reason: 'x' }, 'Invalid Argument'],
    ['a boolean that is none', { autorenew: 'off', reason: 'x' }, 'Invalid Argument'],
    ['a rate that is no number', { rate_id: [11], reason: 'x' }, 'Invalid Argument'],
  ])('refuses %s with the reason and writes nothing', async (_case, body, fail) => {
    await buy(13);
    const before = (await view(13)).body;
    const { status, body: answer } = await correct(13, body);
    expect([status, answer]).toEqual([403, { fail }]);
    expect((await view(13)).body).toEqual(before);
  });

  it('refuses an end without a rate if there is no membership', async () => {
    const { status, body } = await correct(24, { expires_at: '2026-07-01T00:00:00Z', reason: 'x' });
    expect([status, body]).toEqual([403, { fail: 'End And Rate Required' }]);
  });
});
