import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { person } from '../person.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const searcher = person(1, 'Female');

const man = (id: number, traits: Record<string, string>) => person(id, 'Male', { traits });

const members = [
  searcher,
  man(2, { f_author: 'Gabriel García Márquez', headline: 'Sailing around the world' }),
  man(3, { f_author: 'Haruki Murakami', about_me: 'I run marathons and bake bread' }),
  man(4, { q_perfect_weekend: 'A walk with my dogs', f_movie_comedy: 'Amélie' }),
  person(5, 'Male', {
    state: 'Αττική',
    traits: { about_me: 'Ο χορός, η όπερα και το φως', headline: 'çığ ve İzmir', f_city: 'Άνδρος' },
  }),
];

const artists = [
  man(6, { about_me: 'I was painting and swimming, the point is the wife' }),
  man(7, { about_me: 'Pointing at saints, the print of a wine' }),
  man(8, { about_me: 'Un libro, une danse & der Strand 🎸' }),
];

/** Spellings of one word, each with one typo in its last letter but one. */
const spellings = Array.from('abcdefghijklmnopqrstuvwxyz0123456789αβγδεζηθικλμνξοπρστυφχψω', (letter, at) =>
  man(100 + at, { about_me: `gardenin${letter}s` }),
);

describe('a word with typos', () => {
  it.each([
    ['50 spellings by default', undefined, 50],
    ['as many as the setting says', { max_expansions: 200 }, spellings.length],
  ])('matches %s', async (_title, text, found) => {
    const file = new URL('../../settings/relevance.json', import.meta.url);
    const shipped = JSON.parse(await readFile(file, 'utf8')) as { text: object };
    const folder = await mkdtemp(join(tmpdir(), 'relevance-'));
    const path = join(folder, 'relevance.json');
    const changed = { ...shipped, text: { fuzziness: 'AUTO:5,8', prefix_length: 1, ...text } };
    await writeFile(path, JSON.stringify(changed));
    const service = await startService('spellings', {
      members: [searcher, ...spellings],
      environment: {
        RELEVANCE_FILE: path,
      },
    });
    try {
      const search = { age: { from: 18, to: 99 }, keywords: { value: 'gardenings' }, pagesize: 100 };
      const { users } = await service.search(1, search);
      expect(users.filter(({ exactmatch }) => exactmatch)).toHaveLength(found);
    } finally {
      await service.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('text criteria fold typos, accents and word forms', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('texts', { members: [...members, ...artists] });
    service.profile.platinum.add(1);
  });
  afterAll(() => service?.close());

  it.each<[string, object, number[]]>([
    ['a name without accents', { f_author: { value: 'garcia marquez' } }, [2]],
    ['one word of it', { f_author: { value: 'Márquez' } }, [2]],
    ['a typo', { f_author: { value: 'Murakmi' } }, [3]],
    ['any of several', { f_author: { values: ['marquez', 'murakami'] } }, [2, 3]],
    ['all words of a value', { f_author: { value: 'gabriel murakami' } }, []],
    ['another word form in the headline', { keywords: { value: 'sail' } }, [2]],
    ['another word form in about_me', { keywords: { value: 'marathon running' } }, [3]],
    ['a question', { keywords: { value: 'walking dog' } }, [4]],
    ['a favorite', { keywords: { value: 'amelie' } }, [4]],
    ['Greek in capitals, without accents and with another sigma', { keywords: { value: 'ΧΟΡΟΣ ΦΩΣ' } }, [5]],
    ['Greek without the accent of its first letter', { keywords: { value: 'οπερα' } }, [5]],
    ['Turkish, with its dots and without', { keywords: { value: 'CIG IZMİR' } }, [5]],
    ['a state', { state: { value: 'ΑΤΤΙΚΗ' } }, [5]],
    ['a Greek favorite', { f_city: { value: 'ανδρος' } }, [5]],
    ['a form of a short word, but no word near its stem', { keywords: { value: 'paints' } }, [6]],
    ['a typo in a word that is not its stem', { keywords: { value: 'paintng' } }, [6]],
    ['a typo beside another form', { keywords: { value: 'swim paintng' } }, [6]],
    ['a word of four letters as it is written', { keywords: { value: 'wine' } }, [7]],
    ['a typo from five letters on, in any language', { keywords: { value: 'libre strnd' } }, [8]],
    ['signs between words as nothing', { keywords: { value: 'danse & — libro' } }, [8]],
    ['a sign that is a word', { keywords: { value: '🎸' } }, [8]],
    ['words of which nothing is left', { keywords: { value: '?!' } }, []],
    ['query syntax as plain words', { keywords: { value: 'sail* OR bread' } }, []],
    ['nothing of another word', { keywords: { value: 'chess' } }, []],
  ])('%s', async (_name, criteria, ids) => {
    const { users } = await service.search(1, { age: { from: 18, to: 99 }, ...criteria });
    const matching = users.filter(({ exactmatch }) => exactmatch).map(({ id }) => id);
    expect(new Set(matching)).toEqual(new Set(ids));
  });
});
