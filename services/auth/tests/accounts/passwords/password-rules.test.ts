import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import { assert, property, string } from 'fast-check';
import { passwordAllowed } from '../../../src/accounts/passwords/password-rules.ts';

describe('password rules', () => {
  const site = { title: 'Heartland Singles', url: 'https://www.prairie.example' };
  const rules = { minimum: 8, username: 'violetharbour', email: 'quiet.meadow@mail.example', site };
  it('hold for any text', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 300, size: 'max' }), (password) => {
        const length = Array.from(password).length;
        const fits = length >= 8 && length <= 256;
        expect(passwordAllowed(password, rules) && !fits).toBe(false);
      }),
      fuzzing(),
    );
  });
  it.each([
    ['VIOLETHARBOUR', false],
    ['my-VioletHarbour-7', false],
    ['quiet.meadow@MAIL.example', false],
    ['7-Quiet.Meadow-7', false],
    ['HeartLand-of-mine', false],
    ['we-two-singles', false],
    ['on the Prairie', false],
    ['iloveyou', false],
    ['Iloveyou1', false],
    ['letmein123', false],
    ['LIVERPOOL1', false],
    ['aaaaaaaa', false],
    ['        ', false],
    ['💜💜💜💜💜💜💜💜', false],
    ['xY7%xY7%xY', false],
    ['abcdefgh', false],
    ['ЖЗИЙКЛМН', false],
    ['98765432', false],
    ['qwertzuiop', false],
    ['lkjhgfdsa', false],
    ['aaaa1234qwer', false],
    ['violet harbour', true],
    ['abcdefgh-', true],
    ['singular heart', true],
    ['correct horse battery', true],
    ['quiet-meadow-77', true],
  ])('%s: %s', (password, allowed) => expect(passwordAllowed(password, rules)).toBe(allowed));
  it('ignore names with three characters', () => {
    const short = { minimum: 8, username: 'ann', email: 'bob@mail.example' };
    expect(passwordAllowed('annual bobsleigh', short)).toBe(true);
  });
  it('reject the 100,000 most common passwords, and no others of the list', () => {
    const allowed = ['070162', '07012006'].map((password) => passwordAllowed(password, { minimum: 4 }));
    expect(allowed).toEqual([false, true]);
  });
});
