import type { Key, Liking } from './codes.ts';
import type { Identity, Tastes, Work } from './person.ts';
import type { Random } from '../random.ts';
import type { Character } from './character.ts';
import { allInterests, clusters, type Cluster, type Interest } from './interest-clusters.ts';

type Subject = Identity &
  Pick<Work, 'education'> & {
    readonly character: Character;
    readonly devotion: number;
    readonly children: readonly number[];
  };

const up = (base: number, ...leanings: number[]) =>
  Math.max(0.05, base * Math.exp(leanings.reduce((sum, leaning) => sum + leaning, 0)));

/** The strength of a person's attraction to each cluster. */
function pull({ character, age, gender, devotion, education, children }: Subject): Record<Cluster, number> {
  const man = gender === 'Male' ? 1 : 0;
  const learned = ['bachelors_degree', 'masters_degree', 'doctorate'].includes(education) ? 0.4 : 0;
  return {
    outdoors: up(12, character.daring * 0.4),
    arts: up(8, character.openness * 0.7, learned, -man * 0.3),
    tinkering: up(7, man * 0.9, -character.sociability * 0.4, age < 40 ? 0.3 : -0.3),
    sports: up(9, man * 0.6, character.drive * 0.3),
    hearth: up(11, character.warmth * 0.4, (age - 38) * 0.012, -man * 0.3),
    nights: up(9, character.sociability * 0.6, (35 - age) * 0.03),
    thought: up(6, character.openness * 0.5, learned),
    faith: up(2.5, devotion * 2.2, children.length > 0 ? 0.3 : 0),
    screens: up(8, -character.daring * 0.3),
    science: up(3.5, character.openness * 0.4, learned),
    thrills: up(3, character.daring * 0.8, man * 0.4, (35 - age) * 0.03),
    oddities: up(1.5, character.openness * 0.5, (age - 38) * 0.01),
  };
}

/** Draws a handful of interests out of two or three clusters, music by age and origin, and a pet. */
export function drawTastes(random: Random, who: Subject): Tastes {
  const weights = pull(who);
  const first = random.weighted(weights);
  const second = random.weighted({ ...weights, [first]: 0 });
  const third = random.weighted({ ...weights, [first]: 0, [second]: 0 });
  const liked = [
    ...random.sample<Interest>(clusters[first], random.integer(2, 4)),
    ...random.sample<Interest>(clusters[second], random.integer(2, 3)),
    ...random.sample<Interest>(clusters[third], random.integer(0, 2)),
  ].filter((interest) => fits(interest, who));
  const interests = new Map<Interest, Liking>();
  for (const [at, interest] of [...new Set(liked)].entries()) {
    interests.set(
      interest,
      at < 3 ? 'love_it' : random.weighted({ love_it: 25, often: 45, now_and_then: 30 }),
    );
  }
  for (const interest of random.sample(allInterests, random.integer(0, 3))) {
    if (!interests.has(interest))
      interests.set(interest, random.weighted({ not_for_me: 6, now_and_then: 4 }));
  }
  return { interests, music: drawMusic(random, who), pet: drawPet(random, interests) };
}

const fits = (interest: Interest, { age, children, home }: Subject) => {
  if (interest === 'children') return (children.at(-1) ?? 99) < 15;
  if (interest === 'football' || interest === 'basketball') return home.city.country === 'US';
  if (interest === 'sky_diving' || interest === 'snowboarding') return age < 55;
  if (interest === 'guns') return home.city.country === 'US' && age > 24;
  return true;
};

function drawPet(random: Random, interests: Tastes['interests']): Tastes['pet'] {
  const keen = ['love_it', 'often'].includes(interests.get('dogs_cats') ?? interests.get('pets') ?? '');
  return random.weighted({ dog: keen ? 55 : 16, cat: keen ? 38 : 13, none: keen ? 7 : 71 });
}

function drawMusic(random: Random, { age, heritage, home, character }: Subject): Tastes['music'] {
  const young = age < 34 ? 2 : age > 52 ? 0.4 : 1;
  const old = age > 52 ? 2.2 : age < 34 ? 0.5 : 1;
  const rural = ['south', 'texas', 'plains', 'mountain', 'midwest'].includes(home.city.region) ? 2 : 0.7;
  const black = heritage.race === 'black' ? 2.6 : 1;
  const weights: Record<Key<'music'>, number> = {
    blues: 5 * old * black,
    classical: 7 * old * (character.openness > 0.5 ? 2 : 1),
    country: 9 * rural * (black > 1 ? 0.3 : 1),
    dance: 8 * young,
    folk: 7,
    hip_hop: 9 * young * black,
    jazz: 7 * old * Math.sqrt(black),
    latin: heritage.race === 'hispanic' || heritage.roots.includes('spanish') ? 22 : 4,
    metal: 4 * young,
    pop: 13 * young,
    rock: 18,
    soul: 6 * black,
    world: home.city.country === 'US' ? 4 : 11,
  };
  const music = new Set<Key<'music'>>();
  for (let draws = random.integer(1, 4); draws > 0; draws -= 1) music.add(random.weighted(weights));
  return [...music];
}
