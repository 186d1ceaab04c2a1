import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('second-person');
});
afterAll(() => billing.close());

const memberId = randomUUID();
const staff = { id: 0, memberId, siteid: 0, scope: 'staff' };
const view = (member: number) => billing.get(`/staff/memberships/${member}`, staff);
const correct = (member: number, body: object, key?: string) =>
  billing.post(`/staff/memberships/${member}/correct`, body, staff, key);
const buy = (id: number) => billing.post('/packages/purchase', { package_id: 1, rate_id: 11 }, { id });

const preview = async (member: number, body: object, key?: string) => {
  const { status, body: answer } = await correct(member, { preview: true, reason: 'x', ...body }, key);
  return { status, ...answer };
};
const requests = () => billing.profile.requests;
const paid = async (member: number, siteid: number) => {
  billing.profile.sites.set(member, siteid);
  await billing.post('/packages/purchase', { package_id: 2, rate_id: 21 }, { id: member });
  return (await view(member)).body.ledger.at(-1).payment as string;
};

interface Changes {
  readonly refund?: true;
  readonly expires_at?: string;
  readonly autorenew?: boolean;
  readonly rate_id?: number;
}

describe('the preview of a correction', () => {
  let last = 100;

  const corrections: readonly (readonly [title: string, changes: Changes])[] = [
    ['an end', { expires_at: '2026-08-01T00:00:00Z' }],
    ['the end now', { expires_at: 'now', autorenew: false }],
    ['the renewal', { autorenew: false }],
    ['the rate', { rate_id: 21 }],
    ['a refund', { refund: true }],
    ['a refund and an end', { refund: true, expires_at: '2026-09-01T00:00:00Z' }],
  ];

  it.each(corrections)(
    'of %s says what the call then does, and writes nothing',
    async (_title, { refund, ...changes }) => {
      const member = (last += 1);
      await buy(member);
      const before = (await view(member)).body;
      const payment = before.ledger[0].payment;
      const body = { ...changes, ...(refund && { refund: payment }) };
      const { status, preview: seen, ...rest } = await preview(member, body);
      expect([status, rest]).toEqual([200, before]);
      expect((await view(member)).body).toEqual(before);
      expect((await billing.charged(member)).held).toBe(3000);
      const { body: done } = await correct(member, { ...body, reason: 'x' });
      expect(billing.audited.slice(-3)).toEqual([`${member} preview`, `${member}`, `${member}`]);
      const { membership_status, autorenew, expirationdate, package_id, rate_id } = done;
      expect(seen).toEqual({
        after: { membership_status, autorenew, expirationdate, package_id, rate_id },
        refund: refund ? { payment, amount: 3000, currency: 'USD' } : null,
        second_person: false,
        refusal: null,
      });
    },
  );

  it.each(['chargeback:1', 'delay:1'])(
    'says what the call does where the provider knows more: %s',
    async (receipt) => {
      const member = (last += 1);
      await billing.post('/packages/purchase', { package_id: 1, rate_id: 11, receipt }, { id: member });
      const [payment] = await billing.context.payments.of(member);
      // The provider knows the outcome from here on.
      await billing.provider.find(payment?.key ?? '');
      const { preview: seen } = await preview(member, { refund: payment?.key });
      const { body: done } = await correct(member, { refund: payment?.key, reason: 'x' });
      const { membership_status, autorenew, expirationdate, package_id, rate_id } = done;
      expect(seen).toMatchObject({
        after: { membership_status, autorenew, expirationdate, package_id, rate_id },
        refund: receipt === 'delay:1' ? { amount: 3000 } : null,
      });
    },
  );

  it('says why the call would be refused, by code and text, as the call does', async () => {
    await buy(55);
    const bodies = [{}, { rate_id: 99 }, { expires_at: '2020-01-01T00:00:00Z' }, { refund: 'none' }];
    for (const body of bodies) {
      const { status, preview: seen } = await preview(55, body);
      const { body: refused } = await correct(55, { ...body, reason: 'x' });
      expect([status, seen]).toMatchObject([200, { after: null, refusal: { fail: refused.fail } }]);
    }
    expect((await preview(55, { rate_id: 99 })).preview.refusal).toEqual({
      code: 'rate',
      fail: 'Unknown Rate',
    });
    const nobody = await billing.post(
      '/staff/memberships/55/correct',
      { preview: true, autorenew: false },
      { id: 55 },
    );
    expect(nobody.status).toBe(403);
  });
});

describe('a refund above the limit of the site', () => {
  it('waits for a second person, and is then made once, with both in the ledger', async () => {
    const refund = await paid(70, 4);
    expect((await correct(70, { refund, reason: 'x', preview: true })).body.preview).toMatchObject({
      second_person: true,
      refund: { amount: 6000 },
    });
    const { status, body } = await correct(70, { refund, reason: 'Double', autorenew: false });
    expect([status, body]).toEqual([
      202,
      { approval_id: expect.any(String), expires_at: expect.any(String) },
    ]);
    expect((await billing.charged(70)).held).toBe(6000);
    const [asked] = requests().slice(-1);
    expect(asked).toEqual({
      staff: memberId,
      request: { member: 70, reason: 'Double', refund, autorenew: false },
      amount: 6000,
      currency: 'USD',
    });
    const approved = {
      approval: randomUUID(),
      request: asked?.request,
      staff: memberId,
      approved_by: randomUUID(),
    };
    const calls = [1, 2].map(() => billing.internal('/internal/memberships/refund', approved));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    await billing.internal('/internal/memberships/refund', approved).expect(200);
    expect((await billing.charged(70)).held).toBe(0);
    const { ledger } = (await view(70)).body;
    const made = ledger.filter(({ staff: by }: { staff?: string }) => by !== undefined);
    expect(made.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['correction', 'refund']);
    for (const line of made)
      expect(line).toMatchObject({ staff: memberId, approved_by: approved.approved_by, reason: 'Double' });
    const gone = { ...approved, approval: randomUUID(), request: { ...asked?.request, refund: 'none' } };
    await billing.internal('/internal/memberships/refund', gone).expect(403);
  });

  it('counts refunds of the last 30 days, so that nobody splits one into several small ones', async () => {
    billing.profile.sites.set(71, 4);
    const payments: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      await buy(71);
      payments.push((await view(71)).body.ledger.at(-1).payment);
      await correct(71, { autorenew: false, reason: 'x' });
    }
    const [one, two] = payments;
    expect((await correct(71, { refund: one, reason: 'x' })).status).toBe(200);
    expect((await correct(71, { refund: two, reason: 'x' })).status).toBe(202);
    expect((await correct(71, { refund: one, reason: 'x' })).status).toBe(200);
    expect((await billing.charged(71)).held).toBe(3000);
  });

  it('counts refunds that are made at once', async () => {
    const payments: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      await buy(74);
      payments.push((await view(74)).body.ledger.at(-1).payment);
      await correct(74, { autorenew: false, reason: 'x' });
    }
    billing.profile.sites.set(74, 4);
    const answers = await Promise.all(payments.map((refund) => correct(74, { refund, reason: 'x' })));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect((await billing.charged(74)).held).toBeGreaterThanOrEqual(6000);
  });

  it('is not corrected again by a retry of the keyed call after the approval', async () => {
    const refund = await paid(75, 4);
    const body = { refund, reason: 'x', expires_at: '2026-09-01T00:00:00Z' };
    expect((await correct(75, body, 'k-75')).status).toBe(202);
    const [asked] = requests().slice(-1);
    const approved = { approval: randomUUID(), request: asked?.request, staff: memberId };
    const call = { ...approved, approved_by: randomUUID() };
    await billing.internal('/internal/memberships/refund', call).expect(200);
    await correct(75, { expires_at: '2026-10-01T00:00:00Z', reason: 'y' });
    const before = (await view(75)).body;
    expect((await correct(75, body, 'k-75')).body).toEqual(before);
  });

  it('is completed once the payment is refunded, also when the rest would be refused by now', async () => {
    const refund = await paid(76, 4);
    const body = { refund, reason: 'x', expires_at: '2026-06-16T00:00:00Z' };
    expect((await correct(76, body)).status).toBe(202);
    const [asked] = requests().slice(-1);
    const call = {
      approval: randomUUID(),
      request: asked?.request,
      staff: memberId,
      approved_by: randomUUID(),
    };
    const { ledger } = billing.context;
    const { append } = ledger;
    const spy = jest.spyOn(ledger, 'append');
    spy.mockImplementation((line) =>
      line.kind === 'correction' ? Promise.reject(new Error('the process ends here')) : append(line),
    );
    await billing.internal('/internal/memberships/refund', call).expect(500);
    spy.mockRestore();
    const { now } = billing.time;
    billing.time.now = new Date('2026-06-17T00:00:00Z');
    await billing.internal('/internal/memberships/refund', call).expect(200);
    billing.time.now = now;
    const lines = (await view(76)).body.ledger as { kind: string; approved_by?: string }[];
    const kinds = lines.filter(({ approved_by: by }) => by === call.approved_by).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['correction', 'refund']);
  });

  it('is made with the rest of the correction when the member was deleted meanwhile', async () => {
    const refund = await paid(79, 4);
    const body = { refund, reason: 'x', expires_at: 'now' };
    expect((await correct(79, body)).status).toBe(202);
    const request = requests().at(-1)?.request;
    billing.profile.unknown.add(79);
    const call = { approval: randomUUID(), request, staff: memberId, approved_by: randomUUID() };
    await billing.internal('/internal/memberships/refund', call).expect(200);
    expect((await billing.charged(79)).held).toBe(0);
    const lines = await billing.context.ledger.of(79);
    expect(lines.map(({ kind }) => kind).toSorted()).toEqual(['correction', 'purchase', 'refund']);
  });

  it('does not switch on the renewal of a member who was deleted meanwhile', async () => {
    const refund = await paid(80, 4);
    const body = { refund, reason: 'x', expires_at: '2026-09-01T00:00:00Z', autorenew: true };
    expect((await correct(80, body)).status).toBe(202);
    const request = requests().at(-1)?.request;
    billing.profile.unknown.add(80);
    await billing.internal('/internal/memberships/renewal', { member: 80, autorenew: false }).expect(200);
    const call = { approval: randomUUID(), request, staff: memberId, approved_by: randomUUID() };
    await billing.internal('/internal/memberships/refund', call).expect(200);
    expect((await billing.charged(80)).held).toBe(0);
    expect(await billing.context.memberships.find(80)).toMatchObject({
      expires_at: new Date(body.expires_at),
      autorenew: false,
    });
  });

  it('waits also where a part was refunded elsewhere', async () => {
    const refund = await paid(77, 4);
    const charges = billing.context.connection.collection<{ _id: string }>('sandbox-charges');
    await charges.updateOne({ _id: refund }, { $set: { refunded: 1 } });
    expect((await correct(77, { refund, reason: 'x', preview: true })).body.preview).toMatchObject({
      second_person: true,
      refund: { amount: 5999 },
    });
    expect((await correct(77, { refund, reason: 'x' })).status).toBe(202);
  });

  it('books what remains of a payment of which a part was refunded elsewhere', async () => {
    const refund = await paid(78, 1);
    const charges = billing.context.connection.collection<{ _id: string }>('sandbox-charges');
    await charges.updateOne({ _id: refund }, { $set: { refunded: 1_000 } });
    await billing.hook(refund);
    const made = { refund, reason: 'Double' };
    for (let times = 0; times < 2; times += 1) expect((await correct(78, made)).status).toBe(200);
    const lines = (await view(78)).body.ledger as { kind: string; amount: number; reason?: string }[];
    const refunds = lines.filter(({ kind }) => kind === 'refund');
    expect(refunds.map(({ amount, reason }) => [amount, reason])).toEqual([
      [-1_000, undefined],
      [-5_000, 'Double'],
    ]);
  });

  it('has the strictest limit of all sites for a member deleted before, and none on other sites', async () => {
    const [deleted, elsewhere] = [await paid(72, 4), await paid(73, 1)];
    billing.profile.unknown.add(72);
    expect((await correct(72, { refund: deleted, reason: 'x' })).status).toBe(202);
    expect((await correct(73, { refund: elsewhere, reason: 'x' })).status).toBe(200);
    expect((await billing.charged(72)).held).toBe(6000);
  });
});
