import { describe, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { presentationOf, anonymousPresentation, texts } from '../../src/localization/presentation.ts';

const textsOf = (locale: string): Record<string, string> => texts[locale] ?? {};
/** The sorted placeholders of each text. */
const placesOf = (locale: string) =>
  Object.fromEntries(
    Object.entries(textsOf(locale)).map(([name, text]) => [
      name,
      text.match(/\{\{\w+\}\}/g)?.toSorted() ?? [],
    ]),
  );
describe('pages', () => {
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
});
