import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '../load/answers.ts';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const retry = { 'Retry-After': '2' };

describe('kinds of answers', () => {
  it.each([
    [answer(200, {}), 'ok'],
    [answer(303, ''), 'ok'],
    [answer(503, { fail: 'Service Unavailable' }, retry), 'away'],
    [answer(503, { fail: 'Service Unavailable' }), 'strange'],
    [answer(503, 'upstream away', retry), 'strange'],
    [answer(403, { fail: 'Invalid Argument', failcode: [80016] }), 'refused'],
    [answer(400, { error: 'invalid_grant', error_description: 'grant request is invalid' }), 'refused'],
    [answer(401, { fail: 'Unauthorized' }), 'strange'],
    [answer(401, { fail: 'Unauthorized' }, { 'WWW-Authenticate': 'Bearer realm="covalence"' }), 'refused'],
    [answer(429, { fail: 'Too Many Requests' }), 'strange'],
    [answer(500, { fail: 'Internal Server Error', request_id: 'a' }), 'defect'],
    [answer(500, { fail: 'Internal Server Error', stack: 'at x' }), 'strange'],
    [answer(502, { fail: 'Bad Gateway' }), 'strange'],
    [answer(400, '<h1>Expired</h1>', { 'Content-Type': 'text/html; charset=utf-8' }), 'strange'],
  ])('%j is %s', (given, expected) => expect(outcomeOf(given)).toBe(expected));

  it('a hosted page may refuse in HTML', () => {
    const page = answer(400, '<h1>Expired</h1>', { 'Content-Type': 'text/html; charset=utf-8' });
    expect(outcomeOf(page, true)).toBe('refused');
  });
});
