import { answerFields } from '@covalence/contract/catalogue/answers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { groupsOf, read } from '../../support/answers.ts';
import { startModeration, type Moderation } from '../../support/moderation.ts';

let service: Moderation['service'];
beforeAll(async () => {
  ({ service } = await startModeration('answers'));
});
afterAll(() => service.close());

const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });

/** One answer to every field that has some. */
const everything = Object.fromEntries(
  answerFields.map(({ name, kind, values: [first] = [] }) => [
    name,
    kind === 'integer' ? 180 : kind === 'text' ? `My ${name}` : (first?.code ?? ''),
  ]),
);

const sensitive = answerFields.filter(({ visibility }) => visibility === 'owner').map(({ name }) => name);

describe('the answers of a profile', () => {
  it('come by group in the order of the catalogue, with labels and texts in the viewer’s language', async () => {
    const shown = await woman({
      height: 178,
      smoking: 10,
      language: [10, 20],
      i_art: 40,
      f_book: 'Momo',
      q_lessons: 'Patience.',
    });
    const reader = await service.register({ locale: 'de_DE' });
    expect(await groupsOf(reader, shown.id)).toEqual([
      {
        group: 'basic',
        label: 'Eckdaten',
        fields: [
          { name: 'height', label: 'Größe (cm)', value: 178, code: 178, text: '178' },
          { name: 'smoking', label: 'Rauchen', value: 10, code: 10, text: 'Nie' },
          {
            name: 'language',
            label: 'Sprachen',
            values: [10, 20],
            text: expect.stringMatching(/^\w+, \w+$/),
          },
        ],
      },
      {
        group: 'favorite',
        label: 'Favoriten',
        fields: [{ name: 'f_book', label: 'Lieblingsbuch', value: 'Momo', text: 'Momo' }],
      },
      {
        group: 'interest',
        label: 'Interessen',
        fields: [{ name: 'i_art', label: 'Kunst', value: 40, code: 40, text: 'Mit Leidenschaft' }],
      },
      {
        group: 'question',
        label: 'Fragen',
        fields: [
          {
            name: 'q_lessons',
            label: 'Was hat dich das Leben gelehrt?',
            value: 'Patience.',
            text: 'Patience.',
          },
        ],
      },
    ]);
  });

  it('are empty without answers', async () => {
    const [shown, reader] = [await woman(), await service.register()];
    expect(await groupsOf(reader, shown.id)).toEqual([]);
    expect(await groupsOf(shown, 'self')).toEqual([]);
  });

  it('hide origin, belief, politics, opinions and income from others, not from their owner', async () => {
    const [shown, reader] = [await woman(everything), await service.register(everything)];
    const own = Object.values(await read(shown, 'self'));
    expect(own.map((answer) => answer?.name)).toEqual(answerFields.map(({ name }) => name));
    const onlyOwn = own.flatMap((answer) => (answer?.visibility === 'owner' ? [answer.name] : []));
    expect(onlyOwn).toEqual(sensitive);
    expect(onlyOwn).toEqual(
      expect.arrayContaining([
        'race',
        'family_roots',
        'religion',
        'ls_religion',
        'i_religion',
        'politics',
        'i_politics',
        'f_politician',
        'income',
        ...answerFields.flatMap(({ name }) => (name.startsWith('a_') ? [name] : [])),
      ]),
    );
    const others = await read(reader, shown.id);
    expect(Object.keys(others)).toEqual(
      answerFields.flatMap(({ name }) => (sensitive.includes(name) ? [] : [name])),
    );
    expect(JSON.stringify(others)).not.toContain('My f_politician');
  });

  it('never hold settings, names, places or credentials', async () => {
    const shown = await woman({
      first_name: 'Jane',
      last_name: 'Doe',
      locale: 'es_ES',
      agefrom: 30,
      ageto: 40,
    });
    expect(await groupsOf(shown, 'self')).toEqual([]);
  });

  it('are visible as the member’s site configures', async () => {
    const answers = { siteid: 3, religion: 10, ls_neatness: 20, smoking: 10 };
    const [shown, reader] = [await woman(answers), await service.register(answers)];
    const others = await read(reader, shown.id);
    expect(Object.keys(others)).toEqual(['smoking', 'religion']);
    expect((await read(shown, 'self'))['ls_neatness']).toMatchObject({ value: 20, visibility: 'owner' });
  });

  it('of a field that one of the sites rejects are hidden', async () => {
    const shown = await woman({ siteid: 3, religion: 10, smoking: 20, world_plus: 'opted-in' });
    const reader = await service.register({ siteid: 1, religion: 10 });
    expect(Object.keys(await read(reader, shown.id))).toEqual(['smoking', 'religion']);
    const site = service.context.sites.get(1);
    const before = [...(site?.rejected_fields ?? [])];
    site?.rejected_fields.push('religion');
    expect(Object.keys(await read(reader, shown.id))).toEqual(['smoking']);
    site?.rejected_fields.splice(0, Infinity, ...before);
  });

  it('are refused with the profile: blocked, hidden, deactivated', async () => {
    const [shown, reader] = [await woman({ smoking: 10 }), await service.register()];
    const refusal = async () => (await reader.get(`/users/${shown.id}`)).body;
    await shown.post('/block', { profileid: reader.id }).expect(200);
    expect(await refusal()).toEqual({ fail: 'Invalid Argument', failcode: [80004] });
    await shown.post('/unblock', { profileid: reader.id }).expect(200);
    await shown.post('/members/self', { searchable: false }).expect(200);
    expect(await refusal()).toEqual({ fail: 'Invalid Argument', failcode: [80061] });
    await shown.post('/members/self', { searchable: true }).expect(200);
    expect((await read(reader, shown.id))['smoking']).toBeDefined();
    await shown.post('/members/self', { deactivated: true }).expect(200);
    expect(await refusal()).toEqual({ fail: 'Invalid Argument', failcode: [80064] });
  });

  it('come with search results on request, as in a single profile', async () => {
    const answers = { smoking: 10, height: 178, religion: 10, q_lessons: 'Patience.', p_mood: 40 };
    const [shown, reader] = [await woman(answers), await service.register({ smoking: 10, height: 190 })];
    const records = async (fields?: string[]) => {
      const asked = { viewer: reader.id, ids: [shown.id], ...(fields && { fields }) };
      return (await service.internal('/internal/records', asked).expect(200)).body.records[0];
    };
    const named = ['q_lessons', 'religion', 'smoking', 'p_mood', 'i_art', 'email'];
    const { answers: given } = await records(named);
    const whole = Object.values(await read(reader, shown.id));
    expect(given.flatMap(({ fields }: { fields: object[] }) => fields)).toEqual(
      whole.filter((answer) => named.includes(answer?.name ?? '')),
    );
    expect(given[0].fields[0]).toMatchObject({ name: 'smoking', in_common: true });
    expect(JSON.stringify(given)).not.toContain('religion');
    expect(await records()).not.toHaveProperty('answers');
    expect(
      (await service.internal('/internal/records', { viewer: 1, ids: [], fields: Array(11).fill('smoking') }))
        .status,
    ).toBe(403);
  });

  it('stay out of lists and conversations', async () => {
    const [shown, reader] = [await woman({ smoking: 10 }), await service.register()];
    await read(reader, shown.id);
    const { body } = await shown.get('/members/self/activity/views').expect(200);
    expect(body.users[0]).toMatchObject({ id: reader.id });
    expect(body.users[0]).not.toHaveProperty('answers');
  });
});

describe('answers in common', () => {
  it('are marked for the same choice, one of several, and the same text in any case', async () => {
    const shown = await woman({
      smoking: 10,
      drinking: 20,
      language: [10, 30],
      f_book: 'MOMO',
      q_lessons: 'One.',
    });
    const reader = await service.register({
      smoking: 10,
      drinking: 30,
      language: [30, 40],
      f_book: 'Momo',
      q_lessons: 'Two.',
    });
    const marks = Object.values(await read(reader, shown.id)).map((answer) => [
      answer?.name,
      answer?.in_common,
    ]);
    expect(marks).toEqual([
      ['smoking', true],
      ['drinking', undefined],
      ['language', true],
      ['f_book', true],
      ['q_lessons', undefined],
    ]);
  });

  it('are not marked where one site hides the answer', async () => {
    const [shown, reader] = [
      await woman({ siteid: 3, religion: 10, smoking: 10, world_plus: 'opted-in' }),
      await service.register({ siteid: 1, religion: 10, smoking: 10, world_plus: 'opted-in' }),
    ];
    expect((await read(reader, shown.id))['religion']).toMatchObject({ value: 10 });
    expect((await read(reader, shown.id))['religion']).not.toHaveProperty('in_common');
    expect((await read(reader, shown.id))['smoking']).toMatchObject({ in_common: true });
    expect(await read(shown, reader.id)).not.toHaveProperty('religion');
  });

  it('are not marked for a waiting text', async () => {
    const [shown, reader] = [await woman({ q_lessons: 'Call me' }), await service.register()];
    await reader.post('/members/self', { q_lessons: 'www.example.com' }).expect(200);
    await shown.post('/members/self', { q_lessons: 'www.example.com' }).expect(200);
    expect((await read(reader, shown.id))['q_lessons']).toEqual(
      expect.objectContaining({ value: 'Call me' }),
    );
    expect((await read(reader, shown.id))['q_lessons']).not.toHaveProperty('in_common');
  });
});
