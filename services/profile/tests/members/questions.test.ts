import { fields } from '@covalence/contract/catalogue/fields';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { registration, startService, type TestMember, type ServiceUnderTest } from '../harness.ts';

interface Question {
  name: string;
  type: string;
  label: string;
  required: boolean;
  operations: string[];
  limits?: object;
  values?: { value: string | number; code?: number; key?: string; label: string }[];
}

let service: ServiceUnderTest;
let member: TestMember;
beforeAll(async () => {
  service = await startService('questions');
  member = await service.register({ locale: 'de_DE' });
});
afterAll(() => service.close());

const open = (query: string) => request(service.app).get(`/questions?${query}`);
const named = (body: { questions: Question[] }, name: string) =>
  body.questions.find((question) => question.name === name);

describe('GET /questions', () => {
  it('has every field of the catalogue with its values, in the member’s locale', async () => {
    const { status, body } = await member.get('/questions');
    expect(status).toBe(200);
    expect(body).toMatchObject({ siteid: 1, locale: 'de_DE' });
    expect(body.questions.map(({ name }: Question) => name)).toEqual(fields.map(({ name }) => name));
    expect(named(body, 'marital_status')).toEqual({
      name: 'marital_status',
      group: 'basic',
      type: 'choice',
      label: 'Familienstand',
      operations: ['register', 'update'],
      required: false,
      moderated: false,
      visibility: 'everyone',
      values: [
        { value: 10, code: 10, label: 'Ledig' },
        { value: 20, code: 20, label: 'Getrennt lebend' },
        { value: 30, code: 30, label: 'Geschieden' },
        { value: 40, code: 40, label: 'Verwitwet' },
      ],
    });
    expect(named(body, 'headline')).toMatchObject({
      required: true,
      moderated: true,
      limits: { min: 1, max: 75 },
      update_limits: { min: 10, max: 75 },
    });
    const countries = named(body, 'country')?.values ?? [];
    expect(countries.length).toBeGreaterThan(240);
    expect(countries.find(({ value }) => value === 'GR')?.label).toBe('Griechenland');
    expect(countries.map(({ label }) => label).indexOf('Ägypten')).toBeLessThan(10);
  });

  it('has only values that an update accepts', async () => {
    const { body } = await member.get('/questions?locale=en_US');
    const settings = ['gender', 'country', 'reason_id'];
    const choices = (body.questions as Question[]).filter(
      ({ values, operations, name }) => values && operations.includes('update') && !settings.includes(name),
    );
    for (const last of [false, true]) {
      const sent = choices.map(({ name, values = [] }) => [name, values.at(last ? -1 : 0)?.value]);
      const { status } = await member.post('/members/self', Object.fromEntries(sent));
      expect(status).toBe(200);
    }
  });

  it.each([
    ['es_ES', 'es_ES', 'Estado civil'],
    ['el_CY', 'el_GR', 'Οικογενειακή κατάσταση'],
    ['fr_FR', 'en_US', 'Marital status'],
  ])('in %s answers %s', async (asked, locale, label) => {
    const { body } = await member.get(`/questions?locale=${asked}`);
    expect(body.locale).toBe(locale);
    expect(named(body, 'marital_status')?.label).toBe(label);
  });

  it('leaves out what the site rejects, and a registration accepts the rest', async () => {
    const { status, body } = await open('siteid=4');
    expect(status).toBe(200);
    expect(named(body, 'religion')).toBeUndefined();
    expect(named(body, 'a_religion')).toBeDefined();
    const choices = (body.questions as Question[]).filter(
      ({ type, operations }) => ['choice', 'choices'].includes(type) && operations.includes('register'),
    );
    const sent = Object.fromEntries(choices.map(({ name, values = [] }) => [name, values[0]?.value]));
    expect(
      (
        await request(service.app)
          .post('/members')
          .send(registration({ siteid: 4, ...sent }))
      ).status,
    ).toBe(200);
  });

  it.each(['', 'siteid=99', 'siteid=one', 'siteid=1&locale=german'])(
    'without a token, asked with "%s", is 403 without code',
    async (query) => {
      const { status, body } = await open(query);
      expect({ status, body }).toEqual({ status: 403, body: { fail: 'Invalid Argument' } });
    },
  );

  it('refuses a bad token instead of treating the caller as anonymous', async () => {
    const { status } = await open('siteid=1').set('Authorization', 'Bearer nonsense');
    expect(status).toBe(401);
  });

  it('answers 304 to a client that has it, unless locale or site differ', async () => {
    const { headers } = await member.get('/questions');
    const etag = headers['etag'] ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers['vary']).toContain('Authorization');
    const again = await member.get('/questions').set('If-None-Match', etag);
    expect({ status: again.status, text: again.text, etag: again.headers['etag'] }).toEqual({
      status: 304,
      text: '',
      etag,
    });
    const spanish = await member.get('/questions?locale=es_ES').set('If-None-Match', etag);
    expect(spanish.status).toBe(200);
    const other = await open('siteid=4&locale=de_DE').set('If-None-Match', etag);
    expect(other.status).toBe(200);
  });
});

describe('GET /reasons/profile/delete', () => {
  it('lists localized reasons with a tag', async () => {
    const { status, body, headers } = await member.get('/reasons/profile/delete');
    expect(status).toBe(200);
    expect(body.locale).toBe('de_DE');
    expect(body.reasons[2]).toEqual({ reason_id: 3, label: 'Ich möchte eine Pause machen' });
    const again = await member.get('/reasons/profile/delete').set('If-None-Match', headers['etag'] ?? '');
    expect(again.status).toBe(304);
  });

  it('needs a token', async () => {
    expect((await request(service.app).get('/reasons/profile/delete')).status).toBe(401);
  });

  it('lists exactly the ids that a deactivation accepts', async () => {
    for (const reason_id of [0, 13, 'spam', 1.5]) {
      const { status, body } = await member.post('/members/self', { deactivated: true, reason_id });
      expect({ status, failcode: body.failcode }).toEqual({ status: 403, failcode: [20801] });
    }
    const leaving = await service.register();
    const { body } = await leaving.get('/reasons/profile/delete');
    const reason_id = body.reasons.at(-1).reason_id;
    const { status } = await leaving.post('/members/self', { deactivated: true, reason_id });
    expect(status).toBe(200);
    expect(await service.context.members.store.byId(leaving.id)).toMatchObject({
      deactivated: true,
      reason_id,
    });
  });
});
