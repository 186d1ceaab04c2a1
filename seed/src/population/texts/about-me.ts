import type { Person } from '../traits/person.ts';
import type { Random } from '../random.ts';
import type { Rotation } from './rotation.ts';
import { fill, fittingLines, type Writer } from './template.ts';

/** A writing style: tone, number of lines, and a habit of punctuation. */
export interface Voice {
  readonly tone: 'warm' | 'dry' | 'plain';
  readonly length: number;
  readonly habit: 'none' | 'lower_case' | 'exclaims' | 'trails_off' | 'paragraphs' | 'signs';
}

/** Draws a voice by character and age. */
export function drawVoice(random: Random, { character, age }: Person): Voice {
  return {
    tone: random.weighted({
      warm: Math.exp(character.warmth * 0.6),
      dry: 0.8 * Math.exp(character.openness * 0.5 - (age - 38) * 0.01),
      plain: 1.1,
    }),
    length: Math.round(Math.min(14, Math.max(3, random.normal(7, 2.7)))),
    habit: random.weighted({
      none: 62,
      lower_case: age < 38 ? 7 : 0,
      exclaims: 8,
      trails_off: age > 48 ? 6 : 1,
      paragraphs: 14,
      signs: 5,
    }),
  };
}

/** A topic and its probability. */
type Topic = readonly [topic: string, share: number];

const leanings: readonly (readonly [keyof Person['character'], string, string])[] = [
  ['sociability', 'trait.outgoing', 'trait.quiet'],
  ['openness', 'trait.curious', 'trait.practical'],
  ['drive', 'trait.driven', 'trait.relaxed'],
  ['warmth', 'trait.warm', 'trait.guarded'],
  ['daring', 'trait.daring', 'trait.careful'],
];

function familyTopics(person: Person): Topic[] {
  const { children, marital, age, wantChildren } = person;
  const youngest = children.at(-1);
  const grown = youngest !== undefined && youngest >= 19;
  const count = children.length === 1 ? 'one_child' : 'children';
  const topics: Topic[] = [];
  if (youngest !== undefined)
    topics.push([grown ? `family.grown${children.length === 1 ? '_one' : ''}` : `family.${count}`, 0.88]);
  if (marital !== 'single') topics.push([`family.${marital}`, marital === 'divorced' ? 0.35 : 0.7]);
  if (youngest === undefined && wantChildren === 'yes' && age < 42) topics.push(['family.wants', 0.35]);
  if (youngest === undefined && wantChildren === 'no' && age > 26 && age < 56)
    topics.push(['family.none', 0.3]);
  return topics;
}

const faiths: Readonly<Partial<Record<Person['religion'], string>>> = {
  catholic: 'faith.church',
  christian_other: 'faith.church',
  orthodox: 'faith.church',
  protestant: 'faith.church',
  jewish: 'faith.jewish',
  muslim: 'faith.muslim',
  hindu: 'faith.eastern',
  buddhist: 'faith.eastern',
  spiritual: 'faith.spiritual',
};

/** The topics of a person. */
function topicsOf(random: Random, person: Person, { tone }: Voice): Topic[] {
  const ownWork = ['student', 'retired', 'self_employed'].includes(person.occupation);
  const faith = faiths[person.religion];
  const foreign = person.languages[0] !== 'english';
  return [
    [ownWork || random.chance(0.7) ? `work.${person.occupation}` : 'work', 0.86],
    [foreign && random.chance(0.5) ? 'place.abroad' : 'place', 0.5],
    ...familyTopics(person),
    [`pet.${person.pet}`, 0.8],
    ...[...person.interests]
      .filter(([, liking]) => liking === 'love_it' || liking === 'often')
      .map(([interest]): Topic => [`interest.${interest}`, 0.62]),
    ...leanings.flatMap(([leaning, high, low]): Topic[] => {
      const strength = person.character[leaning];
      return Math.abs(strength) < 0.6 ? [] : [[strength > 0 ? high : low, 0.35]];
    }),
    ...(faith && person.devotion > 0.55 ? [[faith, 0.7] as const] : []),
    ['smoking.' + person.smoking, 0.5],
    ['drinking.' + person.drinking, 0.25],
    [`daily.${tone}`, 0.75],
    [`daily.${random.pick(['warm', 'dry', 'plain'])}`, 0.4],
    ['list', 0.06],
  ];
}

const livesWithSmallOnes = ({ hasChildren, children }: Person) =>
  ['yes_at_home', 'yes_sometimes_at_home'].includes(hasChildren) && (children.at(-1) ?? 99) < 12;

function wishTopics(random: Random, person: Person, { tone }: Voice): string[] {
  const wishes = [`wish.${tone}`];
  const further: Topic[] = [
    ['wish.young', person.age < 28 ? 0.4 : 0],
    ['wish.older', person.age > 57 ? 0.4 : 0],
    ['wish.parents', livesWithSmallOnes(person) ? 0.3 : 0],
    ['wish.faith', person.devotion > 0.6 ? 0.5 : 0],
    ['wish.active', person.exercise === 'daily' ? 0.4 : 0],
    ['wish.nonsmoker', person.smoking === 'never' ? 0.06 : 0],
  ];
  for (const [topic, share] of further) if (random.chance(share)) wishes.push(topic);
  return wishes.slice(0, 2);
}

const shortest = 110;
const longest = 990;

/** Topics that are added until the text is long enough. */
const fillers = [
  'daily.plain',
  'place',
  'daily.warm',
  'daily.dry',
  'daily.plain',
  'wish.plain',
  'wish.warm',
  'closer.plain',
];

/** An about_me of 100 to 1,000 characters. */
export function writeAboutMe(random: Random, person: Person, writer: Writer, rotation: Rotation): string {
  const voice = drawVoice(random, person);
  const write = (topic: string) => {
    const line = rotation.choose(topic, fittingLines(topic, writer), random);
    return line === undefined ? [] : [fill(line, writer, random)];
  };
  const body = topicsOf(random, person, voice)
    .filter(([, share]) => random.chance(share))
    .map(([topic]) => topic);
  const [first = '', ...others] = body;
  const middle = [first, ...random.sample(others, voice.length - 3)].flatMap(write);
  const parts = {
    opener: random.chance(0.85) ? write(`opener.${voice.tone}`) : [],
    middle: random.chance(0.6) ? middle : random.sample(middle, middle.length),
    wish: random.chance(0.9) ? wishTopics(random, person, voice).flatMap(write) : [],
    closer: random.chance(0.65) ? write(`closer.${voice.tone}`) : [],
  };
  const length = () => Object.values(parts).flat().join(' ').length;
  for (const topic of fillers) if (length() < shortest) parts.middle.push(...write(topic));
  while (length() > longest) parts.middle.pop();
  return inVoice(random, voice, parts, writer);
}

interface Parts {
  readonly opener: readonly string[];
  readonly middle: readonly string[];
  readonly wish: readonly string[];
  readonly closer: readonly string[];
}

type Habit = (lines: readonly string[], random: Random, parts: Parts, writer: Writer) => string;

/** Joins the lines of a text, by habit. */
const habits: Readonly<Record<Voice['habit'], Habit>> = {
  none: (lines) => lines.join(' '),
  lower_case: (lines) => lines.join(' ').toLowerCase(),
  exclaims: (lines, random) => {
    const excited = random.integer(0, lines.length - 1);
    return lines.map((line, at) => (at === excited ? line.replace(/\.$/, '!') : line)).join(' ');
  },
  trails_off: (lines, random) =>
    lines.map((line) => (random.chance(0.4) ? line.replace(/\.$/, '...') : line)).join(' '),
  paragraphs: (_lines, _random, { opener, middle, wish, closer }) =>
    [opener.concat(middle), wish.concat(closer)]
      .map((paragraph) => paragraph.join(' '))
      .filter(Boolean)
      .join('\n\n'),
  signs: (lines, _random, { closer }, { facts: { name } }) =>
    name === undefined || closer.includes(`${name}.`) ? lines.join(' ') : `${lines.join(' ')}\n${name}`,
};

function inVoice(random: Random, { habit }: Voice, parts: Parts, writer: Writer): string {
  return habits[habit](Object.values<readonly string[]>({ ...parts }).flat(), random, parts, writer);
}
