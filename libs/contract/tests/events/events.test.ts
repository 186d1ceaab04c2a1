import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { isForEveryone } from '../../src/sites/answer-visibility.ts';
import { answerFields } from '../../src/catalogue/answers.ts';
import { eventSchema } from '../../src/events/events.ts';
import { parseSites } from '../../src/sites/sites.ts';

const event = {
  id: '0198c1a2-7c3e-7a54-9d3b-3a3f2b1c0d4e',
  type: 'pair.liked',
  version: 3,
  at: '2026-01-02T03:04:05.000Z',
  member: 7,
  data: { other: 8 },
};

describe('events', () => {
  it.each([
    ['a like', event],
    ['with the request that caused it', { ...event, request_id: 'r1' }],
    ['a member', { ...event, type: 'member.updated', data: {} }],
    ['a photo', { ...event, type: 'photo.changed', data: { photo: 3, status: 'approved', primary: true } }],
    [
      'a message',
      { ...event, type: 'message.sent', data: { other: 8, message: '0198c1a2-7c3e-7a54-9d3b-3a3f2b1c0d4e' } },
    ],
    [
      'a membership',
      { ...event, type: 'membership.changed', data: { status: 'none', autorenew: false, expires_at: null } },
    ],
  ])('%s', (_case, value) => {
    expect(eventSchema.parse(value)).toEqual(value);
  });

  it.each([
    ['of no type that there is', { ...event, type: 'pair.hugged' }],
    ['without an id', { ...event, id: undefined }],
    ['with a text beside the ids', { ...event, data: { other: 8, text: 'hello' } }],
    ['with something beside the envelope', { ...event, email: 'a@example.org' }],
    ['of nobody', { ...event, member: 0 }],
    ['at no time', { ...event, at: 'now' }],
  ])('%s are refused', (_case, value) => {
    expect(eventSchema.safeParse(value).success).toBe(false);
  });
});

const site = { siteid: 1, title: 'One', url: 'https://one.example', group: 'g' };

describe('sites', () => {
  it('come with the documented defaults', () => {
    expect(parseSites([site]).get(1)).toMatchObject({
      locale: 'en_US',
      review: 'manual',
      minimum_age: 18,
      photo_limit: 20,
      likes_per_day: 50,
    });
    expect(parseSites([site]).get(1)?.scam_signals).toBeUndefined();
    expect(parseSites([{ ...site, scam_signals: {} }]).get(1)?.scam_signals).toMatchObject({
      mode: 'shadow',
      signals: { new_account: { weight: 2 } },
    });
  });

  it('name fields in any spelling', () => {
    const fields = { required_fields: ['aboutme', 'Eye-Color'], rejected_fields: ['a-euro'] };
    const expected = { required_fields: ['about_me', 'eye_color'], rejected_fields: ['a_euro'] };
    expect(parseSites([{ ...site, ...fields }]).get(1)).toMatchObject(expected);
  });

  it('override the visibility of answers in both directions', () => {
    const answer_visibility = { religion: 'everyone', 'Ls-Neatness': 'owner' };
    const parsed = parseSites([
      { ...site, answer_visibility },
      { ...site, siteid: 2 },
    ]);
    const readers = (siteid: number) => {
      const found = parsed.get(siteid);
      return answerFields
        .filter(({ name }) => ['religion', 'ls_neatness', 'race'].includes(name))
        .map((field) => [field.name, found && isForEveryone(field, found)]);
    };
    expect(readers(1)).toEqual([
      ['religion', true],
      ['race', false],
      ['ls_neatness', false],
    ]);
    expect(readers(2)).toEqual([
      ['religion', false],
      ['race', false],
      ['ls_neatness', true],
    ]);
  });

  it.each([
    ['no site at all', []],
    ['two with one id', [site, site]],
    ['a minimum age under 18', [{ ...site, minimum_age: 17 }]],
    ['passwords under 4', [{ ...site, password_minimum: 3 }]],
    ['a setting that there is not', [{ ...site, likes: 3 }]],
    ['a rejected field that there is not', [{ ...site, rejected_fields: ['a_abortoin'] }]],
    ['a required field that there is not', [{ ...site, required_fields: ['hight'] }]],
    ['readers of an answer that there is not', [{ ...site, answer_visibility: { hight: 'owner' } }]],
    ['readers of a setting', [{ ...site, answer_visibility: { email: 'everyone' } }]],
    ['readers that there are not', [{ ...site, answer_visibility: { height: 'friends' } }]],
    [
      'an answer for its owner that every record shows',
      [{ ...site, answer_visibility: { p_mood: 'owner' } }],
    ],
    ['a threshold that all signals do not reach', [{ ...site, scam_signals: { threshold: 22 } }]],
    ['a threshold that a new account reaches', [{ ...site, scam_signals: { threshold: 4 } }]],
    ['a signal that there is not', [{ ...site, scam_signals: { signals: { photos: {} } } }]],
    ['a rejected field that everybody has to give', [{ ...site, rejected_fields: ['gender'] }]],
  ])('%s is refused', (_case, sites) => {
    expect(() => parseSites(sites)).toThrow(z.ZodError);
  });
});
