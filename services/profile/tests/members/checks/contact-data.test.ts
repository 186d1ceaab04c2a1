import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { contactDataIn } from '../../../src/members/checks/contact-data.ts';
import type { ContactKind } from '../../../src/members/document/member.ts';

const found: readonly [text: string, kind: ContactKind, country?: string][] = [
  ['Write to jane.doe@example.com', 'email'],
  ['JANE.DOE＠EXAMPLE.COM', 'email'],
  ['name at gmail dot com', 'email'],
  ['find me: jane (at) gmail (dot) com', 'email'],
  ['jane[at]hotmail.com, any time', 'email'],
  ['jane at gmail, you know the rest', 'email'],
  ['jane at live dot com', 'email'],
  ['schreib mir: max ät web punkt de', 'email', 'DE'],
  ['max.muster (at) gmx punkt de', 'email', 'DE'],
  ['mi correo: ana arroba correo punto es', 'email', 'ES'],
  ['γράψε μου: maria παπάκι gmail τελεία com', 'email', 'GR'],
  ['jane\u200B@\u200Bexample.com', 'email'],
  ['call (512) 555-0123? no: 512-477-8468', 'phone'],
  ['+49 170 1234567', 'phone'],
  ['0170 1234567 ruf an', 'phone', 'DE'],
  ['llámame al 612 34 56 78', 'phone', 'ES'],
  ['πάρε με στο 694 123 4567', 'phone', 'GR'],
  ['five one two, four seven seven, eight four six eight', 'phone'],
  ['seis uno dos tres cuatro cinco seis siete ocho', 'phone', 'ES'],
  ['null eins sieben null eins zwei drei vier fünf sechs', 'phone', 'DE'],
  ['5 1 2 4 7 7 8 4 6 8', 'phone'],
  ['see https://example.com/me', 'link'],
  ['www.example.it', 'link'],
  ['my page is example.com', 'link'],
  ['mypage dot com', 'link'],
  ['t.me/janedoe', 'link'],
  ['my insta: janedoe', 'handle'],
  ['IG @jane.doe', 'handle'],
  ['add me on snapchat jane_doe', 'handle'],
  ['kik is jane99', 'handle'],
  ['WhatsApp me: janed', 'handle'],
  ['mein telegram ist max_m', 'handle', 'DE'],
  ['mi instagram es ana.lopez1', 'handle', 'ES'],
  ['you know where: @janedoe', 'handle'],
  ['jane@\u{1f1ec}\u{1f1f2}\u{1f1e6}\u{1f1ee}\u{1f1f1}.com', 'email'],
  ['insta \u{1f194} jane99', 'handle'],
];

const clean: readonly [text: string, country?: string][] = [
  ['I like long walks. Meet me at dawn, or at dusk.'],
  ['I love music.it keeps me going.so does dancing'],
  ['Born in 1990, moved here in 2015, ran 42 km in 2019 and 2021.'],
  ['I am 180 cm and weigh 75 kg, with 2 cats and 3 dogs.'],
  ['From 10.05.2019 to 12.06.2021 I lived abroad.'],
  ['My house cost 250,000 dollars and I regret 1,000 of them.'],
  ['I do not use WhatsApp, and Instagram is boring.'],
  ['I was on facebook in 2009 and left.'],
  ['Signal is lost in the mountains, where I am happy.'],
  ['A kik in the right direction. Snap out of it!'],
  ['look at the dot on the map'],
  ['Happiest at live concerts, and good at live TV.'],
  ['One or two coffees, three at most; four is too many.'],
  ['Ich wohne in Berlin und mag Punkt, Punkt, Komma, Strich.', 'DE'],
  ['Um acht Uhr bin ich zu Hause, um neun im Bett.', 'DE'],
  ['Me gusta el punto de encuentro; uno, dos, tres y a bailar.', 'ES'],
  ['Στο τέλος της μέρας πίνω έναν καφέ. Ένα, δύο, τρία!', 'GR'],
  ['Member 1732189123456 of the club'],
  ['e.g. books, i.e. novels, etc.'],
  ['From Paris \u{1f1eb}\u{1f1f7}, now in Austin \u{1f1fa}\u{1f1f8}. Nice \u{1f197}!'],
  ['x'.repeat(1500)],
];

const fromFirst = (first: number, each: string, plain: number) =>
  String.fromCodePoint(first + (each.codePointAt(0) ?? 0) - plain);

/** Ways to draw a letter, and a digit. */
const letterSigns = [
  (each: string) => each,
  ...[0x1f1e6, 0x1f150, 0x1f170, 0x24d0, 0x1d41a, 0xff41].map(
    (first) => (each: string) => fromFirst(first, each, 0x61),
  ),
  (each: string) => `${each}\u20e3\u200b`,
];
const digitSigns = [
  (each: string) => `${each}\ufe0f\u20e3`,
  ...[0x2776, 0x2780, 0x278a, 0x24f5, 0x2460].map((first) => (each: string) => fromFirst(first, each, 0x31)),
  (each: string) => fromFirst(0x1d7ce, each, 0x30),
];

describe('contact data in texts', () => {
  it.each(found)('finds in "%s" a %s', (text, kind, country = 'US') => {
    expect(contactDataIn(text, country)).toContain(kind);
  });

  it.each(clean)('finds nothing in "%s"', (text, country = 'US') => {
    expect(contactDataIn(text, country)).toEqual([]);
  });

  it('finds an address in any context', () => {
    const words = fc.array(fc.constantFrom('I', 'walk', 'häufig', 'siempre', 'βουνό', '!', '...'), {
      maxLength: 20,
      size: 'max',
    });
    fc.assert(
      fc.property(words, words, (before, after) => {
        const text = [...before, 'jane@example.org', ...after].join(' ');
        expect(contactDataIn(text, 'US')).toContain('email');
      }),
      fuzzing(),
    );
  });

  it('finds it in letters and digits of emoji and other signs', () => {
    const addresses: readonly (readonly [string, ContactKind])[] = [
      ['jane@example.org', 'email'],
      ['my page is evil-shop.com', 'link'],
      ['+1 512 477 8468', 'phone'],
      ['snapchat: jane_doe', 'handle'],
    ];
    const drawn = fc.array(fc.nat(), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...addresses), drawn, ([address, kind], choices) => {
        const text = Array.from(address, (each, index) => {
          const choice = choices[index] ?? 0;
          if (/[a-z]/.test(each)) return letterSigns[choice % letterSigns.length]?.(each);
          return /[1-9]/.test(each) ? digitSigns[choice % digitSigns.length]?.(each) : each;
        }).join('');
        expect(contactDataIn(text, 'US')).toContain(kind);
      }),
      fuzzing(),
    );
  });

  it('handles any text, and the longest one fast', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }), (text) => {
        expect(Array.isArray(contactDataIn(text, ''))).toBe(true);
      }),
      fuzzing(),
    );
    const hostile = [' at ', 'a.', '@a', '1 ', 'one ', 'insta ', '((((', 'a-', 'whatsapp me '].map((part) =>
      part.repeat(1500 / part.length),
    );
    // One letter that reads as several, and letters whose capitals are looked for.
    hostile.push(...['㍿', 'ŉ', 'ﬃ', 'я', 'ᾳ', 'ig '].map((letter) => letter.repeat(1500)));
    for (const text of hostile) {
      // Time of this process: a busy machine does not add to it.
      const start = process.cpuUsage();
      contactDataIn(text, 'US');
      expect(process.cpuUsage(start).user / 1_000).toBeLessThan(250);
    }
  });
});
