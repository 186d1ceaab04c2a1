import type { Person } from './traits/person.ts';
import type { Random } from './random.ts';
import { usernameWords } from './username-words.ts';

/** Letters that normalization does not decompose. */
const spelled: Readonly<Record<string, string>> = { ß: 'ss', ı: 'i', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l' };

/** Latin letters and digits only, for usernames and addresses. */
export function plainLetters(text: string): string {
  return text
    .replace(/[ßıøæœł]/g, (letter) => spelled[letter] ?? '')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]/g, '');
}

type Style = 'name' | 'name_year' | 'name_initial' | 'name_city' | 'words' | 'hobby' | 'initials';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function propose(random: Random, person: Person): string {
  const first = plainLetters(person.firstName);
  const last = plainLetters(person.lastName);
  const city = plainLetters(person.home.city.name);
  const year = person.born.slice(2, 4);
  const { adjectives, nouns, hobbies } = usernameWords;
  const [interest] = [...person.interests.keys()];
  const styles: Record<Style, () => string> = {
    name: () => first,
    name_year: () => first + year,
    name_initial: () => first + last.charAt(0) + random.pick(['', '', year, String(random.integer(1, 99))]),
    name_city: () => first + random.pick(['In', 'From', '']) + city,
    words: () =>
      capital(random.pick(adjectives)) + capital(random.pick(nouns)) + random.pick(['', '', year, '7', '42']),
    hobby: () =>
      random.pick(hobbies[interest ?? ''] ?? nouns) +
      random.pick([first, year, last, String(random.integer(2, 999))]),
    initials: () => first.charAt(0) + last + random.pick(['', year]),
  };
  const style = random.weighted<Style>({
    name: 8,
    name_year: 22,
    name_initial: 18,
    name_city: 9,
    words: 17,
    hobby: 18,
    initials: 8,
  });
  const username = styles[style]();
  return random.chance(0.55) ? username.toLowerCase() : username;
}

/** A new username of letters and digits, unique without regard to case; it is added to `taken`. */
export function drawUsername(random: Random, person: Person, taken: Set<string>): string {
  for (let tries = 0; tries < 12; tries += 1) {
    const username = propose(random, person);
    if (username.length >= 4 && claim(username, taken)) return username;
  }
  const base = plainLetters(person.firstName) || 'member';
  for (;;) {
    const username = `${base}${random.integer(100, 999_999)}`;
    if (claim(username, taken)) return username;
  }
}

function claim(username: string, taken: Set<string>): boolean {
  const key = username.toLowerCase();
  if (taken.has(key)) return false;
  taken.add(key);
  return true;
}

const locales: Readonly<Record<Person['home']['city']['country'], string>> = {
  US: 'en_US',
  CA: 'en_CA',
  GB: 'en_GB',
  DE: 'de_DE',
  ES: 'es_ES',
  GR: 'el_GR',
  TR: 'tr_TR',
  FR: 'fr_FR',
};

/** The locale of a member's app. */
export function localeOf(person: Person): string {
  const { country } = person.home.city;
  if (country === 'CA' && person.languages[0] === 'french') return 'fr_CA';
  return locales[country];
}
