import { scamRules } from '@covalence/contract/scam-rules';
import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { array, assert, boolean, constantFrom, property, string } from 'fast-check';
import { linkedHosts } from '../../../src/members/checks/contact-data.ts';
import { dictionaryOf, lettersOf, phrasesIn, wordsOf } from '../../../src/members/checks/plain-text.ts';
import {
  earlierOf,
  heardFrom,
  saidUntil,
  signalsIn,
} from '../../../src/moderation/signals/message-signals.ts';
import { resembling } from '../../../src/moderation/signals/examine-messages.ts';
import { createPrints, similarityOf } from '../../../src/moderation/store/text-prints.ts';

const rules = scamRules.parse({ signals: { links: { hosts: ['maps.example', 'münchen.example'] } } });
const writer = { country: 'US', url: 'https://www.site.example' };
const dictionary = dictionaryOf(Object.values(rules.signals.money.words).flat());

const template =
  'Hello Anna, I have just read your profile and I feel that you are the one I was looking for. Tell me about your day!';
const printOf = createPrints('a secret of the tests');
const likeTemplate = (text: string) => similarityOf(printOf(template, 40) ?? [], printOf(text, 40) ?? []);

/** A message between the members 1 and 2. */
const message = (id: string, from: number, text: string) => ({
  id,
  from,
  to: 3 - from,
  text,
  at: new Date(),
});

/** The signals of a message after others of its sender, and of the other. */
const signals = (text: string, { opening = true, heard = [''], before = [''] } = {}) =>
  signalsIn(saidUntil(text, before, heardFrom(heard)), opening, rules, writer);

/** Writes a text with one change for each character. */
const respelled = (text: string, change: (character: string, index: number) => string) =>
  Array.from(text, change).join('');

describe('words about money', () => {
  it.each([
    'Please send me a gift card, dear',
    'a g i f t card',
    'GIFT-CARD!!',
    'g\u200bi\u200bft c\u00adard',
    '𝐠𝐢𝐟𝐭 𝐜𝐚𝐫𝐝',
    'gіft саrd (with Cyrillic letters)',
    'g1ft c@rd',
    'b i t c o i n w a l l e t',
    'B̶i̶t̶c̶o̶i̶n̶',
    'bit coin',
    'PayPaI',
    'Kannst du mir Geld überweisen?',
    'Στείλε μου χρήματα',
    '¿Puedes enviar dinero?',
    'Il faut envoyer de l’argent',
    'BANKA HESABI lazım',
    'You should see this investment opportunity',
    'Tengo que cobrar la herencia',
    'Peux-tu me faire un virement ?',
    'bitcoin2024',
    'Giftcards24 please',
    'my b!tcoin wallet',
    'PayPa|',
    'Only bitcoins',
    'ʙɪᴛᴄᴏɪɴ only',
    '🅱🅸🆃🅲🅾🅸🅽',
    '🅖🅘🅕🅣 🅒🅐🅡🅓',
    '🄱🄸🅃🄲🄾🄸🄽',
    '🇧 🇮 🇹 🇨 🇴 🇮 🇳',
    '₿itcoin',
    '2024bitcoin',
    'bitcoin1, 7paypal7',
    'my g1ft card24',
  ])('are found in %p', (text) => {
    expect(phrasesIn(text, dictionary).size).toBeGreaterThan(0);
    expect(signals(text)).toContain('money');
  });

  it.each([
    'I like to read poetry in the park, and you?',
    'La coherencia es importante',
    'We crossed the river, Ian said',
    'I work in a bank and pay my rent',
    'Ich schicke dir ein Foto vom Geldautomaten',
    'I am proud of my Greek heritage and worth the investment',
    'I was a customs officer until my inheritance tax course',
    'Meine Ärztin gab mir eine Überweisung zum Orthopäden',
    'Die Erbschaft der Antike',
    'Το ούζο είναι κληρονομιά μας και πέρασα από το τελωνείο',
    'Ο χρόνος μαζί είναι η καλύτερη επένδυση',
    '¿Por qué me miras así? El flamenco es nuestra herencia',
    'Trabajo en la aduana y aprender es una inversión',
    'La route fait un virement près de notre héritage',
    'Apprendre une langue est un investissement',
    'Bu şehir bize miras kaldı, yatırım uzmanıyım',
    'Born in 1990, 4711 was my house. Hi!! You | me',
    'From 🇬🇷 to 🇺🇸, for 5€ or 100$ a day',
  ])('are not found in %p', (text) => {
    expect(signals(text)).toEqual([]);
  });

  it('are found whatever case, invisible characters, marks and blanks are put between the letters', () => {
    const between = constantFrom('', '\u200b', '\u2060', '\u00ad', '\u0301', ' ', '. ', '-', '_');
    const phrases = Object.values(rules.signals.money.words).flat();
    assert(
      property(
        constantFrom(...phrases),
        array(between, { minLength: 80, maxLength: 80 }),
        array(boolean(), { minLength: 80, maxLength: 80 }),
        (phrase, gaps, upper) => {
          const text = respelled(phrase, (each, index) =>
            [upper[index] ? each.toLocaleUpperCase('en') : each, gaps[index]].join(''),
          );
          expect(phrasesIn(`so ${text} now`, dictionary).size).toBeGreaterThan(0);
        },
      ),
    );
  });

  it('handle any text, and the longest fast', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(wordsOf(text).join(' ')).not.toMatch(/[^\p{L}\p{N} ]/u);
        expect(lettersOf(text)).not.toMatch(/[^\p{L}]/u);
        signals(text);
      }),
    );
  });

  it.each(['1 ', '1.', '312 555 ', '+1 ', '\uFDFA', '㍿', '㌀', 'ŉ', 'a1 '])(
    'and whatever else is looked for, take %p ever again no time of other calls',
    (part) => {
      const text = Array.from(part.repeat(4_000)).slice(0, 4_000).join('');
      const spent = () => {
        const start = process.cpuUsage();
        signals(text, { before: [text] });
        return process.cpuUsage(start).user / 1_000;
      };
      // The second time is without compilation. Time of this process: a busy machine adds little.
      expect(Math.min(spent(), spent(), spent())).toBeLessThan(60);
    },
  );
});

describe('links', () => {
  it.each([
    ['https://evil.example/a', 'evil.example'],
    ['hxxps://evil.example', 'evil.example'],
    ['look at evil-shop.com', 'evil-shop.com'],
    ['see evil-shop dot com', 'evil-shop.com'],
    ['evil-shop (.) com', 'evil-shop.com'],
    ['evil-shop。com', 'evil-shop.com'],
    ['evil\u200b-shop.c\u200bom', 'evil-shop.com'],
    ['http://еvil.com', 'xn--vil-qdd.com'],
    ['look at evil.xyz', 'evil.xyz'],
    ['bestloans.online', 'bestloans.online'],
    ['www.evil.xyz', 'www.evil.xyz'],
    ['scam.app/x', 'scam.app'],
    ['evil.top/login', 'evil.top'],
    ['evil.live/a', 'evil.live'],
    ['evil-shop.us/a', 'evil-shop.us'],
    ['evil D0T com', 'evil.com'],
    ['evil (.) club', 'evil.club'],
    ['evil.c\u2063o\u180em', 'evil.com'],
    ['ᴇᴠɪʟ.ᴄᴏᴍ', 'evil.com'],
    ['🅴🆅🅸🅻.com', 'evil.com'],
    ['https://proton.evil-shop.com/x', 'proton.evil-shop.com'],
    ['gmail.com.evil.ru', 'gmail.com.evil.ru'],
    ['https://webxde.com', 'webxde.com'],
    ['https://site.example@evil.com/x', 'evil.com'],
    ['https://site.example:x@y@evil.com', 'evil.com'],
  ])('in %p lead to %s', (text, host) => {
    expect(linkedHosts(text)).toEqual([host]);
    expect(signals(text)).toContain('links');
  });

  it.each([
    'https://site.example/terms',
    'www.maps.example/x',
    'https://münchen.example/karte',
    'I like music . Come over',
    'I walk by the mall. Shop there often',
    'That is me. Info on request',
    'What a day.live and learn',
    'Mine is gmail.com, or hotmail.co.uk',
    'https://maps.example/@52.5,13.4',
    'e.g. this',
    'anna at gmail dot com',
    'anna@mail.example',
  ])('do not lead away in %p', (text) => {
    expect(signals(text)).not.toContain('links');
  });

  it('count only for the member who names them first', () => {
    expect(signals('Is evil.com yours?', { heard: ['See evil.com'] })).toEqual([]);
    expect(signals('No gift cards!', { heard: ['Buy me GIFT CARDS'] })).toEqual([]);
    expect(signals('See other.com', { heard: ['See evil.com'] })).toEqual(['links']);
  });

  it('count for nobody whose conversation is too long to know who named them first', () => {
    const fillers = Array.from({ length: 40 }, () => 'ok '.repeat(400));
    expect(signals('I do not open evil.com', { heard: ['See evil.com', ...fillers] })).toEqual([]);
    expect(signals('See evil.com', { heard: fillers })).toEqual(['links']);
    expect(signals('See evil.com, buy a gift card', { heard: [...fillers, ...fillers] })).toEqual([]);
  });

  it('and words count for the message that has them, not for later ones', () => {
    const before = ['See evil.com', 'Buy me a gift card', 'Call 312 555 0199'];
    expect(signals('see you', { before })).toEqual([]);
    expect(signals('No gift card?', { before })).toEqual(['money']);
    expect(signals('ard?', { before: ['Buy me a gift c'] })).toEqual(['money']);
    const spread = Array.from('312555', (digit) => `${digit} `);
    expect(signals('0199', { before: [template, ...spread] })).toEqual(['contact']);
    expect(signals('0199', { before: ['See evil.com', ...spread, template] })).toEqual([]);
  });

  it('are seen before any number of characters that nobody sees, or that take more room', () => {
    for (const filler of ['\u{E0041}', '\u200b', '😀', '㌀'])
      expect(signals(`evil.com ${filler.repeat(3_990)}`)).toEqual(['links']);
  });
});

describe('contact details', () => {
  it('count until the other answers', () => {
    expect(signals('Write me at anna99@mail.example')).toEqual(['contact']);
    expect(signals('Write me at anna99@mail.example', { opening: false })).toEqual([]);
  });

  it('and links are found where they are cut into several messages', () => {
    const cut = [message('4', 1, 'om'), message('3', 2, 'What?'), message('2', 1, 'see evil-shop.c')];
    const [last] = cut;
    if (!last) throw new Error('there is a last message');
    expect(earlierOf(last, cut)).toEqual(['see evil-shop.c']);
    const said = saidUntil(last.text, earlierOf(last, cut), heardFrom(['What?']));
    expect(said).toMatchObject({ across: ['see evil-shop.c om', 'see evil-shop.com'], heard: ['What?'] });
    expect(signalsIn(said, false, rules, writer)).toEqual(['links']);
  });
});

describe('prints of first messages', () => {
  it.each([
    ['another name', template.replace('Anna', 'Maria-Luisa')],
    ['digits, signs and case', `${template.toUpperCase().replaceAll(' ', ' * ')} 4711 ;-)`],
    ['blanks between the letters', respelled(template, (each) => `${each} `)],
    ['invisible characters', respelled(template, (each) => `${each}\u200b`)],
    ['letters of other scripts', template.replaceAll('a', 'а').replaceAll('o', 'ο')],
    ['another end', template.replace('Tell me about your day!', 'How was your week?')],
  ])('resemble each other with %s', (_title, text) => {
    expect(likeTemplate(text)).toBeGreaterThanOrEqual(rules.signals.alike.similarity);
  });

  it.each([
    'Hi Eve! Your photo from the mountains made me curious: was that in the Alps? I hike a lot as well.',
    'Good evening, you write that you play the violin. I have played the cello since I was nine.',
  ])('do not resemble %p', (text) => {
    expect(likeTemplate(text)).toBeLessThan(0.3);
  });

  it('are compared with requests handled in between', async () => {
    const others = Array.from({ length: 20 }, () => randomBytes(200).toString('base64'));
    const hits = [template, ...others, template.replace('Anna', 'Eve')].map((text, index) => ({
      _id: String(index),
      member: 1,
      signal: 'alike' as const,
      at: new Date(),
      expires_at: new Date(),
      prints: [printOf(text, 40) ?? []],
    }));
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const fresh = new Set(hits.slice(0, 10).map(({ _id }) => _id));
    const found = await resembling(hits, fresh, rules.signals.alike.similarity);
    clearImmediate(counting);
    expect(found.map(({ _id }) => _id)).toEqual(['0', '21']);
    expect(turns).toBeGreaterThanOrEqual(fresh.size);
  });

  it('need some letters, and differ with the secret', () => {
    expect(printOf('Hi! How are you?', 40)).toBeUndefined();
    const other = createPrints('another secret')(template, 40) ?? [];
    expect(similarityOf(printOf(template, 40) ?? [], other)).toBe(0);
    expect(JSON.stringify(printOf(template, 40))).not.toContain('nna');
  });
});
