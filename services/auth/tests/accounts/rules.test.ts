import { fuzzing } from '@covalence/testing/fuzzing';
import { loginKey } from '@covalence/contract/login-key';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { generateKeyPairSync, verify } from 'node:crypto';
import { assert, nat, property, string, uint8Array } from 'fast-check';
import { claimId } from '../../src/accounts/names/names.ts';
import { passwordAllowed } from '../../src/accounts/passwords/password-rules.ts';
import { isSignedEs256, signEs256 } from '../../src/keys/algorithms.ts';
import { createSeal } from '../../src/keys/seal.ts';
import { readDevice } from '../../src/tokens/sessions/known-device.ts';
import { openProof, sealProof } from '../../src/sign-in/login/proof.ts';
import { markup } from '../../src/localization/html.ts';
import { presentationOf, anonymousPresentation, texts } from '../../src/localization/presentation.ts';
import { pageHeaders } from '../../src/sign-in/pages/style.ts';

const textsOf = (locale: string): Record<string, string> => texts[locale] ?? {};
/** The sorted placeholders of each text. */
const placesOf = (locale: string) =>
  Object.fromEntries(
    Object.entries(textsOf(locale)).map(([name, text]) => [
      name,
      text.match(/\{\{\w+\}\}/g)?.toSorted() ?? [],
    ]),
  );
const seal = createSeal(['a secret of the unit tests, long enough']);

describe('login keys', () => {
  it('are equal for every spelling of a name, and idempotent', () => {
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        expect(loginKey(loginKey(text))).toBe(loginKey(text));
        expect(loginKey(` ${text.normalize('NFD')} `)).toBe(loginKey(text.normalize('NFC')));
      }),
      fuzzing(),
    );
    expect(loginKey('ＢＯＢ')).toBe('bob');
    expect(loginKey('ı\u0307İI\u0307\u0301')).toBe('ii\u00ed');
    // Its compatibility form begins with a space, which must not stay.
    expect(loginKey('\u1fdd')).toBe(loginKey(loginKey('\u1fdd')));
    expect(claimId(7, 'email', 'A@B.example')).toBe('7:email:a@b.example');
  });
});

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

describe('signatures', () => {
  it('have 32 bytes for each number, even a short one', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    assert(
      property(uint8Array(), (bytes) => {
        const signature = signEs256(Buffer.from(bytes), privateKey);
        expect(signature).toHaveLength(64);
        expect(isSignedEs256(Buffer.from(bytes), signature, publicKey)).toBe(true);
      }),
      fuzzing(),
    );
  });

  it("verify in JOSE's format", () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const text = Buffer.from('signed');
    const signature = signEs256(text, privateKey);
    expect(verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
    expect(isSignedEs256(text, signature, publicKey)).toBe(true);
    expect(isSignedEs256(Buffer.from('other'), signature, publicKey)).toBe(false);
  });
});

describe('sealing', () => {
  it('opens only sealed texts with the same purpose and bound value', () => {
    assert(
      property(string(), string(), nat(), (text, bound, position) => {
        const sealed = seal.seal('login-proof', text, bound);
        expect(seal.open('login-proof', sealed, bound)).toBe(text);
        expect(seal.open('refresh-answers', sealed, bound)).toBeUndefined();
        expect(seal.open('login-proof', sealed, `${bound}x`)).toBeUndefined();
        const bytes = Buffer.from(sealed, 'base64url');
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        expect(seal.open('login-proof', bytes.toString('base64url'), bound)).toBeUndefined();
      }),
      fuzzing(),
    );
    expect(seal.open('login-proof', '', '')).toBeUndefined();
  });

  it('limits a proof to its sign-in, its browser and ten minutes', () => {
    const at = Date.now();
    const after = (seconds: number) => ({ keys: { seal }, clock: () => new Date(at + seconds * 1_000) });
    const proven = { method: 'pwd', authenticated_at: at } as const;
    const here = { browser: 'uid:device', details: { exp: at / 1_000 + 1_800 } };
    const proofOf = (reason: 'reactivate' | 'link') =>
      sealProof({ reason, accounts: ['a'], ...proven }, here, after(0));
    const proof = proofOf('reactivate');
    expect(openProof(proof, here, after(0))).toMatchObject({ accounts: ['a'] });
    for (const browser of ['uid:other', 'other:device'])
      expect(openProof(proof, { browser }, after(0))).toBeUndefined();
    const isOpen = (sealed: string) => (seconds: number) =>
      openProof(sealed, here, after(seconds)) !== undefined;
    expect([599, 600].map(isOpen(proof))).toEqual([true, false]);
    expect([1_799, 1_800].map(isOpen(proofOf('link')))).toEqual([true, false]);
  });
});

describe('known browsers', () => {
  it('are known only for the accounts that signed in with them', () => {
    const first = readDevice(undefined, seal).withAccount({ _id: 'a' });
    const both = readDevice(first, seal).withAccount({ _id: 'b' });
    const device = readDevice(both, seal);
    expect(['a', 'b', 'c'].map((_id) => device.knows({ _id }))).toEqual([true, true, false]);
    const [, mac] = first.split('.');
    expect(readDevice(`${'A'.repeat(22)}.${mac}`, seal).knows({ _id: 'a' })).toBe(false);
    expect(readDevice('x.y.z', seal).knows({ _id: 'a' })).toBe(false);
  });
  it('are remembered for the last five accounts', () => {
    const accounts = ['a', 'b', 'c', 'd', 'e', 'f'];
    const cookie = accounts.reduce<string | undefined>(
      (before, _id) => readDevice(before, seal).withAccount({ _id }),
      undefined,
    );
    const device = readDevice(cookie, seal);
    expect(accounts.filter((_id) => device.knows({ _id }))).toEqual(['b', 'c', 'd', 'e', 'f']);
  });
});

describe('pages', () => {
  it('escape every value that is not markup', () => {
    const text = markup`<p title="${`"'`}">${'<b>&'}${[markup`<i>`, 'x>', undefined, false]}</p>`.text;
    expect(text).toBe('<p title="&quot;&#39;">&lt;b&gt;&amp;<i>x&gt;</p>');
  });

  it.each(Object.keys(texts))('have the texts and placeholders of English in %s, and no others', (locale) => {
    expect(placesOf(locale)).toEqual(placesOf('en_US'));
    expect(Object.values(textsOf(locale)).filter((text) => text.trim() === '')).toEqual([]);
  });

  it('use typographic apostrophes and quotes, and no line break before French punctuation', () => {
    const straight = Object.values(texts)
      .flatMap((all) => Object.values(all))
      .filter((text) => /['"]/.test(text));
    const loose = Object.values(textsOf('fr_FR')).filter((text) => / [?!:;»]|« /.test(text));
    expect([...straight, ...loose]).toEqual([]);
  });

  it.each([
    ['tr_TR', 'tr-TR'],
    ['es_MX', 'es-ES'],
    ['el-GR', 'el-GR'],
    ['xx_XX', 'en-US'],
    [undefined, 'en-US'],
    ['__proto__', 'en-US'],
    ['constructor', 'en-US'],
  ])('locale %s is shown in %s', (locale, language) => {
    expect(presentationOf({ locale }, new Map()).language).toBe(language);
  });

  it('use the language of the browser when no locale is requested', async () => {
    const app = express().get('/', (asked, answer) => {
      answer.send(anonymousPresentation(asked, new Map()).language);
    });
    for (const [asked, language] of [
      ['fr-CA, fr;q=0.9, en;q=0.8', 'fr-FR'],
      ['de', 'de-DE'],
      ['de-AT', 'de-DE'],
      ['ja, es-MX;q=0.9, en;q=0.5', 'es-ES'],
      ['zh, *;q=0.1', 'en-US'],
      ['zh', 'en-US'],
    ] as const) {
      const answer = await request(app).get('/').set('Accept-Language', asked);
      expect([asked, answer.text]).toEqual([asked, language]);
    }
  });

  it.each([
    [[], "form-action 'self';"],
    [
      ['https://app.example:8443/callback?x=1', 'https://app.example:8443/'],
      "form-action 'self' https://app.example:8443;",
    ],
    [['com.example.app:/callback', 'http://[::1]:80/'], "form-action 'self' com.example.app: http:;"],
  ])('let a form redirect to %j only', (uris, policy) => {
    expect(`${pageHeaders(uris)['Content-Security-Policy']};`).toContain(policy);
  });
});
