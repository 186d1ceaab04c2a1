import type { Gender } from '@covalence/contract/record';
import type { Key } from '../codes.ts';
import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import type { Complexion } from '../traits/heritage.ts';
import { clothColors, hairColors, skinTones, backdropColors } from './palette.ts';

/** How hair is worn. */
export type HairStyle =
  | 'long_straight'
  | 'long_wavy'
  | 'bob'
  | 'side_swept'
  | 'bun'
  | 'ponytail'
  | 'pixie'
  | 'curls'
  | 'braids'
  | 'locs'
  | 'short_soft'
  | 'headscarf'
  | 'side_part'
  | 'crew'
  | 'quiff'
  | 'short_curls'
  | 'shaggy'
  | 'buzz'
  | 'man_bun'
  | 'receding'
  | 'bald';

/** What a portrait is drawn from: plain values, so that it can be kept and drawn again. Colors are hexadecimal. */
export interface PortraitTraits {
  readonly gender: Gender;
  readonly age: number;
  readonly skin: string;
  readonly hair: string;
  readonly hairStyle: HairStyle;
  readonly eyes: Key<'eye_color'>;
  readonly face: 'oval' | 'round' | 'square' | 'heart';
  /** 0.9 (narrow) to 1.1 (broad). */
  readonly breadth: number;
  /** Degrees, positive to the viewer's right. */
  readonly tilt: number;
  readonly mouth: 'smile' | 'grin' | 'calm' | 'smirk' | 'laugh';
  readonly nose: 'soft' | 'straight' | 'broad' | 'long';
  readonly brows: 'soft' | 'arched' | 'straight' | 'thick';
  readonly beard: 'none' | 'stubble' | 'short' | 'full' | 'mustache' | 'goatee';
  readonly glasses: 'none' | 'round' | 'square' | 'thin';
  readonly freckles: boolean;
  readonly earrings: 'none' | 'studs' | 'hoops';
  readonly clothes: 'tee' | 'vneck' | 'shirt' | 'turtleneck' | 'hoodie' | 'blazer' | 'stripes' | 'scoop';
  readonly cloth: string;
  readonly build: Key<'build'>;
  readonly backdrop:
    'plain' | 'sun' | 'hills' | 'leaves' | 'window' | 'city' | 'sea' | 'dots' | 'arch' | 'books';
  readonly backdropColor: string;
}

/** Draws what a person looks like in their photo, from what is known of them. */
export function drawPortraitTraits(random: Random, person: Person): PortraitTraits {
  const { gender, age, build, eyes } = person;
  const man = gender === 'Male';
  const hairStyle = drawHairStyle(random, person);
  return {
    gender,
    age,
    build,
    eyes,
    skin: random.pick(skinTones[person.complexion]),
    hair: hairColors[person.hair === 'bald' ? 'brown' : person.hair],
    hairStyle,
    face: random.weighted({
      oval: 4,
      round: build === 'large' || build === 'curvy' ? 6 : 2,
      square: man ? 4 : 1,
      heart: man ? 0.5 : 3,
    }),
    breadth: Math.round((1 + breadths[build] + (random.real() - 0.5) * 0.08) * 100) / 100,
    tilt: Math.round((random.real() - 0.5) * 90) / 10,
    mouth: random.weighted({
      smile: 5,
      grin: 4,
      calm: 2,
      smirk: 2,
      laugh: person.character.sociability > 0 ? 3 : 1,
    }),
    nose: random.weighted(
      person.heritage.race === 'black' ? { broad: 5, soft: 2 } : { soft: 4, straight: 4, long: 2 },
    ),
    brows: random.weighted(man ? { straight: 4, thick: 4, soft: 1 } : { soft: 4, arched: 4, straight: 1 }),
    beard: drawBeard(random, person),
    glasses: random.chance(age > 45 ? 0.36 : 0.19) ? random.pick(['round', 'square', 'thin']) : 'none',
    freckles:
      (person.complexion === 'fair' && random.chance(0.28)) || (person.hair === 'red' && random.chance(0.5)),
    earrings: man ? 'none' : random.weighted({ none: 5, studs: 3, hoops: 2 }),
    clothes: hairStyle === 'headscarf' ? 'turtleneck' : drawClothes(random, person),
    cloth: random.pick(clothColors),
    backdrop: drawBackdrop(random, person),
    backdropColor: random.pick(backdropColors),
  };
}

const breadths: Readonly<Record<Key<'build'>, number>> = {
  slim: -0.05,
  athletic: 0,
  average: 0,
  curvy: 0.03,
  stocky: 0.05,
  large: 0.07,
};

/** Tightly curled hair grows and is worn in other ways. */
const tightlyCurled: readonly Complexion[] = ['brown', 'dark'];

function drawHairStyle(random: Random, person: Person): HairStyle {
  const { age, hair, religion, devotion } = person;
  const curled =
    tightlyCurled.includes(person.complexion) &&
    person.heritage.race !== 'asian' &&
    person.heritage.race !== 'hispanic';
  if (person.gender === 'Male') {
    if (hair === 'bald') return random.weighted({ bald: 7, buzz: 2 });
    if (curled) return random.weighted({ buzz: 5, short_curls: 5, locs: age < 50 ? 2 : 0.3, crew: 1 });
    if (age > 55) return random.weighted({ side_part: 4, receding: 4, crew: 3, shaggy: 1 });
    return random.weighted({
      side_part: 4,
      crew: 3,
      quiff: age < 45 ? 4 : 2,
      short_curls: 3,
      shaggy: 2,
      man_bun: age < 42 ? 1 : 0,
      buzz: 1,
      receding: age > 35 ? 2 : 0,
    });
  }
  if (religion === 'muslim' && devotion > 0.6 && random.chance(0.55)) return 'headscarf';
  if (curled) return random.weighted({ curls: 6, braids: 3, locs: 2, bun: 3, pixie: 1 });
  if (age > 56)
    return random.weighted({ short_soft: 5, bob: 4, pixie: 3, side_swept: 2, bun: 1, long_wavy: 0.6 });
  return random.weighted({
    long_straight: 4,
    long_wavy: 5,
    bob: 3,
    side_swept: 3,
    bun: 2,
    ponytail: 3,
    pixie: 1,
    curls: 2,
    braids: age < 30 ? 1 : 0.2,
  });
}

function drawBeard(random: Random, { gender, age, complexion }: Person): PortraitTraits['beard'] {
  if (gender === 'Female' || age < 20) return 'none';
  return random.weighted({
    none: 46,
    stubble: age < 50 ? 20 : 10,
    short: 16,
    full: 10,
    mustache: age > 45 ? 6 : 2,
    goatee: complexion === 'dark' || complexion === 'brown' ? 10 : 5,
  });
}

function drawClothes(random: Random, { gender, age, bracket }: Person): PortraitTraits['clothes'] {
  const formal = bracket > 4 ? 2 : 1;
  if (gender === 'Male') {
    return random.weighted({
      tee: 5,
      shirt: 5,
      hoodie: age < 45 ? 3 : 0.5,
      turtleneck: 1,
      blazer: 2 * formal,
      stripes: 1.5,
    });
  }
  return random.weighted({
    tee: 2,
    vneck: 4,
    scoop: 4,
    shirt: 2,
    turtleneck: 2,
    blazer: 1.2 * formal,
    stripes: 2,
    hoodie: age < 35 ? 1.5 : 0.3,
  });
}

function drawBackdrop(random: Random, { interests, home }: Person): PortraitTraits['backdrop'] {
  const likes = (...names: Parameters<typeof interests.has>[0][]) =>
    names.some((name) => interests.has(name));
  return random.weighted({
    plain: 3,
    sun: 3,
    dots: 1,
    arch: 3,
    window: 2,
    hills: likes('camping', 'walking', 'running', 'snowboarding') ? 7 : 1,
    leaves: likes('gardening', 'biology') ? 7 : 2,
    books: likes('reading', 'writing', 'philosophy') ? 6 : 0.4,
    city: home.city.weight > 15 ? 3 : 1,
    sea: likes('traveling') ? 4 : 1.5,
  });
}
