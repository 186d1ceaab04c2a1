import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { testClient } from '../../support/fake-auth.ts';
import { registration, startService, type ServiceUnderTest } from '../../harness.ts';

const path = '/internal/members/register';
/** The answers that site 1 requires for a complete profile. */
const answers = {
  headline: 'Lakes and long walks',
  about_me: 'I like lakes.',
  build: '20',
  height: '180',
  smoking: '10',
  drinking: '20',
};

/** The fields of a registration without client and site. */
const parameters = (fields: object = {}): Record<string, unknown> => {
  const { username, password, email, country, city, state, zip, gender } = registration();
  const place = { country, city, state, zip };
  const person = { gender, gender_preference: 'Female', date_of_birth: '05/17/1990' };
  return { username, password, email, ...person, ...place, ...answers, ...fields };
};

describe('a registration on the hosted page', () => {
  let service: ServiceUnderTest;
  let address = 0;
  beforeAll(async () => {
    service = await startService('register-hosted', {
      environment: {
        REGISTRATIONS_PER_HOUR: '4',
        TAKEN_NAMES_PER_HOUR: '8',
      },
    });
  });
  afterAll(() => service.close());

  const newAddress = () => `192.0.2.${(address += 1)}`;
  const send = (fields: object, { member_id = v7(), from = newAddress() } = {}) =>
    service.internal(path, {
      member_id,
      client_id: testClient.client_id,
      siteid: 1,
      address: from,
      parameters: fields,
    });
  const stored = (memberId: string) => service.context.members.store.byUuid(memberId);

  it('creates the member with what the site requires of a profile', async () => {
    const member_id = v7();
    const { body } = await send(parameters(), { member_id }).expect(200);
    expect(body).toEqual({ failed: {}, abandoned: false });
    const member = await stored(member_id);
    expect(member?.fields).toMatchObject({ headline: answers.headline, build: 20, height: 180 });
    expect(service.auth.accounts.get(member_id)).toMatchObject({ id: member?._id, confirmed: true });
  });

  it('has auth confirm the address that a provider has proven, and never by a parameter', async () => {
    const [proven, claimed] = [v7(), v7()];
    const { client_id } = testClient;
    const call = { client_id, siteid: 1, address: newAddress() };
    const asked = { ...call, email_confirmed: true, member_id: proven, parameters: parameters() };
    expect((await service.internal(path, asked)).body.failed).toEqual({});
    expect(
      (await send(parameters({ email_confirmed: true }), { member_id: claimed })).body.failed,
    ).not.toEqual({});
    const plain = v7();
    await send(parameters(), { member_id: plain }).expect(200);
    const confirmed = [proven, plain].map((id) => service.auth.accounts.get(id)?.addressConfirmed);
    expect(confirmed).toEqual([true, false]);
  });

  it('refuses with the code of every bad or missing field, and takes nothing', async () => {
    const { headline: _headline, zip: _zip, city: _city, state: _state, ...rest } = parameters();
    const { body } = await send({ ...rest, date_of_birth: '01/01/2020', password: 'x' });
    expect(body.failed).toEqual({
      city: 10051,
      state: 10061,
      zip: 10041,
      headline: 10501,
      date_of_birth: 10402,
      password: 10201,
    });
    const taken = parameters();
    await send(taken).expect(200);
    const again = await send({ ...parameters(), email: taken['email'] }).expect(200);
    expect(again.body.failed).toEqual({ email: 10302 });
    service.auth.loseNextClaim();
    expect((await send(parameters()).expect(200)).body.failed).toEqual({ username: 10101 });
  });

  it('does not name a taken address beside another mistake', async () => {
    const taken = parameters();
    await send(taken).expect(200);
    const { body } = await send({ ...parameters(), email: taken['email'], gender: 'x' }).expect(200);
    expect(body.failed).toEqual({ gender: 10001 });
  });

  it('is one member however often and at once it is sent, and counts once', async () => {
    const [member_id, from, fields] = [v7(), newAddress(), parameters()];
    const sent = await Promise.all(Array.from({ length: 3 }, () => send(fields, { member_id, from })));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (let turn = 0; turn < 5; turn += 1)
      expect((await send(fields, { member_id, from })).body).toEqual({ failed: {}, abandoned: false });
    const member = await stored(member_id);
    expect(service.auth.accounts.get(member_id)?.id).toBe(member?._id);
  });

  it.each(['reserve', 'confirm'])('is completed by the next try when the step %s fails', async (step) => {
    const [member_id, fields] = [v7(), parameters()];
    service.auth.failNext(step);
    await send(fields, { member_id }).expect(503);
    await send(fields, { member_id }).expect(200, { failed: {}, abandoned: false });
    expect(service.auth.accounts.get(member_id)).toMatchObject({
      id: (await stored(member_id))?._id,
      confirmed: true,
    });
  });

  it('asks for another id once its claim was given up', async () => {
    const [member_id, fields] = [v7(), parameters()];
    const { username, email } = fields;
    const id = 8_000_001;
    const kept = { siteid: 1, username: String(username), email: String(email), confirmed: false };
    service.auth.accounts.set(member_id, { id, ...kept });
    await service.internal('/internal/members/settle', { member_id, id }).expect(200, { exists: false });
    await send(fields, { member_id }).expect(200, { failed: {}, abandoned: true });
    expect(await stored(member_id)).toBeUndefined();
  });

  it('shares the hourly limit of its address with POST /members', async () => {
    const from = newAddress();
    for (let turn = 0; turn < 2; turn += 1) {
      await service.tryRegister({}).set('X-Forwarded-For', from).expect(200);
      await send(parameters(), { from }).expect(200);
    }
    const { headers } = await send(parameters(), { from }).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(60);
    await service.tryRegister({}).set('X-Forwarded-For', from).expect(429);
  });
});
