import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../src/texts/', import.meta.url);
const catalogs = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, string>;
const english = read('en-us.json');

/** The values that a text takes. */
const placesOf = (text = '') => [...text.matchAll(/\{\{\w+\}\}/g)].map(([place]) => place).toSorted();

describe('the texts of the console', () => {
  it('are there in the languages of the hosted pages', () => {
    expect(catalogs).toEqual([
      'de-de.json',
      'el-gr.json',
      'en-us.json',
      'es-es.json',
      'fr-fr.json',
      'tr-tr.json',
    ]);
  });

  it.each(catalogs)('are all in %s, and take the same values', (name) => {
    const texts = read(name);
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(texts)) {
      expect([key, text.trim().length > 0, placesOf(text)]).toEqual([key, true, placesOf(english[key])]);
    }
  });

  it('have no-break spaces before French punctuation', () => {
    const wrong = Object.values(read('fr-fr.json')).filter((text) =>
      /[^\u00A0\u202F][?!:;»](?!\/)|«[^\u00A0]/.test(text),
    );
    expect(wrong).toEqual([]);
  });
});
