import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { read, type Answer } from '../../support/answers.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let entryOf: Moderation['entryOf'];
beforeAll(async () => {
  ({ service, ann, entryOf } = await startModeration('own-words'));
});
afterAll(() => service.close());

const woman = (fields: object = {}) =>
  service.register({ gender: 'Female', genderpreference: 'Male', ...fields });

/** Somebody of a site with manual review whose profile was approved, and a reader of that site. */
const reviewed = async (fields: object = {}) => {
  const [shown, reader] = [await woman({ ...manual, ...fields }), await service.register(manual)];
  for (const member of [shown, reader]) await ann.post(path(member, 'approve')).expect(200);
  return { shown, reader };
};
const text = (answer: Answer | undefined) => [answer?.value, answer?.value_moderated];

describe('free-text answers', () => {
  it('wait for review while the approved answer stays visible', async () => {
    const { shown, reader } = await reviewed({ q_lessons: 'The first.' });
    expect(text((await read(reader, shown.id))['q_lessons'])).toEqual(['The first.', undefined]);
    await shown.post('/members/self', { q_lessons: 'The second.', f_book: 'Momo' }).expect(200);
    const seen = await read(reader, shown.id);
    expect(text(seen['q_lessons'])).toEqual(['The first.', undefined]);
    expect(seen).not.toHaveProperty('f_book');
    const own = await read(shown, 'self');
    expect(text(own['q_lessons'])).toEqual(['The first.', 'The second.']);
    expect(own['f_book']).toMatchObject({ value: '', text: '', value_moderated: 'Momo' });
    expect(await entryOf('text', shown)).toMatchObject({
      texts: expect.arrayContaining([
        expect.objectContaining({ field: 'q_lessons', current: 'The first.', proposed: 'The second.' }),
        expect.objectContaining({ field: 'f_book', current: '', proposed: 'Momo', flags: [] }),
      ]),
    });
    await ann.post(path(shown, 'texts/q_lessons/approve')).expect(200);
    await ann.post(path(shown, 'texts/f_book/reject'), why).expect(200);
    expect(text((await read(reader, shown.id))['q_lessons'])).toEqual(['The second.', undefined]);
    expect(await read(shown, 'self')).not.toHaveProperty('f_book');
    expect(await entryOf('text', shown)).toBeUndefined();
  });

  it('return to the approved answer when rejected, and are withdrawn by sending it again', async () => {
    const { shown, reader } = await reviewed({ q_lessons: 'The first.' });
    await shown.post('/members/self', { q_lessons: 'A rude one.' }).expect(200);
    await ann.post(path(shown, 'texts/q_lessons/reject'), { reason: 'rude' }).expect(200);
    expect(text((await read(shown, 'self'))['q_lessons'])).toEqual(['The first.', undefined]);
    await shown.post('/members/self', { q_lessons: 'A dull one.' }).expect(200);
    await shown.post('/members/self', { q_lessons: 'The first.' }).expect(200);
    expect(await entryOf('text', shown)).toBeUndefined();
    await shown.post('/members/self', { q_lessons: 'Another one.' }).expect(200);
    await shown.post('/members/self', { q_lessons: '' }).expect(200);
    expect(await read(shown, 'self')).not.toHaveProperty('q_lessons');
    expect(await read(reader, shown.id)).not.toHaveProperty('q_lessons');
    expect(await entryOf('text', shown)).toBeUndefined();
  });

  it('of a new profile are hidden until the profile is approved', async () => {
    const shown = await woman({ ...manual, q_lessons: 'The first.' });
    expect(await entryOf('text', shown)).toBeUndefined();
    expect(await entryOf('profile', shown)).toMatchObject({ texts: { q_lessons: 'The first.' } });
    expect(text((await read(shown, 'self'))['q_lessons'])).toEqual(['', 'The first.']);
    await ann.post(path(shown, 'approve')).expect(200);
    expect(text((await read(shown, 'self'))['q_lessons'])).toEqual(['The first.', undefined]);
  });

  it('are approved at once on a site that reviews automatically, except with contact data', async () => {
    const [shown, reader] = [
      await woman({ q_lessons: 'Patience.', f_bar: 'kik: jane.doe77' }),
      await service.register(),
    ];
    const seen = await read(reader, shown.id);
    expect(text(seen['q_lessons'])).toEqual(['Patience.', undefined]);
    expect(seen).not.toHaveProperty('f_bar');
    await shown.post('/members/self', { q_lessons: 'Write to jane at gmail dot com' }).expect(200);
    expect(text((await read(reader, shown.id))['q_lessons'])).toEqual(['Patience.', undefined]);
    expect(await entryOf('text', shown, { flagged: 'true' })).toMatchObject({
      texts: expect.arrayContaining([
        expect.objectContaining({ field: 'q_lessons', current: 'Patience.', flags: ['email'] }),
        expect.objectContaining({ field: 'f_bar', current: '', proposed: 'kik: jane.doe77' }),
      ]),
    });
    await ann.post(path(shown, 'texts/f_bar/approve')).expect(200);
    expect(text((await read(reader, shown.id))['f_bar'])).toEqual(['kik: jane.doe77', undefined]);
    // Looked at once: the same text is not put before a person again.
    await shown.post('/members/self', { f_bar: 'kik: jane.doe77', q_lessons: 'Calm.' }).expect(200);
    expect(await entryOf('text', shown)).toBeUndefined();
    expect(text((await read(reader, shown.id))['q_lessons'])).toEqual(['Calm.', undefined]);
  });

  it('are searched as others read them, and never where only their owner reads them', async () => {
    const { shown } = await reviewed({ q_lessons: 'The first.', f_politician: 'Solon' });
    await shown.post('/members/self', { q_lessons: 'The second.' }).expect(200);
    const { body } = await service.internal('/internal/projections', { ids: [shown.id] });
    expect(body.projections[0].traits).toMatchObject({ q_lessons: 'The first.' });
    expect(body.projections[0].traits).not.toHaveProperty('f_politician');
  });

  it('are in the export, both the approved and the waiting text', async () => {
    const { shown } = await reviewed({ q_lessons: 'The first.' });
    await shown.post('/members/self', { q_lessons: 'The second.' }).expect(200);
    const { body } = await shown.get('/members/self/export').expect(200);
    expect(body.profile).toMatchObject({
      fields: { q_lessons: 'The second.' },
      approved_answers: { q_lessons: 'The first.' },
    });
    expect(body.record.answers[0].fields[0]).toMatchObject({
      value: 'The first.',
      value_moderated: 'The second.',
    });
  });
});
