import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startService, type TestMember, type ServiceUnderTest } from '../../harness.ts';

const path = '/notifications/settings';
const berlin = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' };

const defaults = {
  likes: { push: true, mail: true },
  connections: { push: true, mail: true },
  messages: { push: true, mail: true },
  matches: { push: true, mail: true },
  views: { push: true },
  account: { push: true },
  security: { push: true, mail: true },
  quiet_hours: null,
  previews: false,
  digest: 'off',
};

const read = async (of: TestMember) => (await of.get(path).expect(200)).body;

describe('the notification settings', () => {
  let service: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    service = await startService('notifications');
    member = await service.register();
  });
  afterAll(() => service.close());

  /** The same member with a token of an older sign-in, as a thief of a token has one. */
  const signedInLongAgo = ({ id, memberId, username }: TestMember) =>
    service.caller(id, memberId, username, 3_600);

  it('have defaults that show no private text, let nothing wait and mail nothing', async () => {
    expect(await read(member)).toEqual(defaults);
  });

  it('change by what is sent and keep the rest, also in a form', async () => {
    const one = await service.register();
    const first = { likes: { push: false }, views: { push: false }, quiet_hours: berlin, digest: 'weekly' };
    const expected = {
      ...defaults,
      likes: { push: false, mail: true },
      views: { push: false },
      quiet_hours: berlin,
      digest: 'weekly',
    };
    expect((await one.patch(path, first).expect(200)).body).toEqual(expected);
    expect((await one.patch(path).expect(200)).body).toEqual(expected);
    const form = await one.patch(path, 'likes[push]=1&messages[mail]=false&quiet_hours=');
    expect([form.status, form.body]).toEqual([
      200,
      {
        ...expected,
        likes: defaults.likes,
        messages: { push: true, mail: false },
        quiet_hours: null,
      },
    ]);
    expect(await read(one)).toEqual(form.body);
    const back = { views: { push: true }, messages: { mail: true }, digest: 'off' };
    expect((await one.patch(path, back)).body).toEqual(defaults);
  });

  it('keep the canonical name of a time zone, however it is spelled', async () => {
    const one = await service.register();
    const spelled = { quiet_hours: { ...berlin, timezone: 'eUROPE/berlin' } };
    expect((await one.patch(path, spelled).expect(200)).body.quiet_hours).toEqual(berlin);
  });

  it.each<[string, object]>([
    ['an unknown name', { winks: { push: true } }],
    ['an unknown channel', { likes: { sms: true } }],
    ['a channel that the kind does not have', { views: { mail: true } }],
    ['security without mails', { security: { mail: false } }],
    ['a value that is neither on nor off', { likes: { push: 'sometimes' } }],
    ['an unknown period', { digest: 'hourly' }],
    ['a time that is none', { quiet_hours: { ...berlin, from: '24:00' } }],
    ['a time without zero', { quiet_hours: { ...berlin, to: '7:00' } }],
    ['quiet hours without end', { quiet_hours: { ...berlin, to: '22:00' } }],
    ['quiet hours without time zone', { quiet_hours: { from: '22:00', to: '07:00' } }],
    ['an unknown time zone', { quiet_hours: { ...berlin, timezone: 'Europe/Atlantis' } }],
    ['an offset instead of a time zone', { quiet_hours: { ...berlin, timezone: '+02:00' } }],
    ['an endless time zone', { quiet_hours: { ...berlin, timezone: 'A'.repeat(100_000) } }],
  ])('refuse %s with 403 without code', async (_case, change) => {
    const { status, body } = await member.patch(path, change);
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument' }]);
    expect(await read(member)).toEqual(defaults);
  });

  it('neither silence security nor show private texts for a token of an older sign-in', async () => {
    const one = await service.register();
    const thief = await signedInLongAgo(one);
    for (const change of [{ security: { push: false } }, { previews: true }]) {
      const { status, headers } = await thief.patch(path, { ...change, likes: { push: false } });
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toContain('insufficient_user_authentication');
    }
    expect(await read(one)).toEqual(defaults);
    await one.patch(path, { security: { push: false }, previews: true }).expect(200);
    const chosen = { ...defaults, security: { push: false, mail: true }, previews: true };
    // An app that sends the settings back changes nothing.
    const { security: _security, ...others } = chosen;
    const repeated = await thief.patch(path, { ...others, security: { push: false } });
    expect([repeated.status, repeated.body]).toEqual([200, chosen]);
    await thief.patch(path, { security: { push: true }, previews: false }).expect(200);
    expect(await read(one)).toEqual(defaults);
  });

  it('are read and changed by their member alone', async () => {
    await request(service.app).get(path).expect(401);
    await request(service.app).patch(path).send({ digest: 'daily' }).expect(401);
    const gone = await service.register();
    await gone.post('/members/self', { deactivated: true });
    expect((await gone.get(path)).status).toBe(403);
  });

  it('are in the export', async () => {
    const one = await service.register();
    await one.patch(path, { quiet_hours: berlin, digest: 'daily' }).expect(200);
    const { body } = await one.get('/members/self/export').expect(200);
    expect(body.profile.notification_settings).toEqual({
      ...defaults,
      quiet_hours: berlin,
      digest: 'daily',
    });
  });
});
