import type { Key } from './traits/codes.ts';
import type { Person } from './traits/person.ts';
import type { Random } from './random.ts';
import type { Complexion } from './traits/heritage.ts';
import { Avatar, Style, type StyleOptions } from '@dicebear/core';
import avataaars from '@dicebear/styles/avataaars.json' with { type: 'json' };
import sharp from 'sharp';

/** Options of a DiceBear avatar. */
export type Portrait = StyleOptions & { readonly seed: string };

const style = new Style(avataaars);

const skinColors: Readonly<Record<Complexion, string>> = {
  fair: '#ffdbb4',
  light: '#edb98a',
  olive: '#e0ac7e',
  tan: '#d08b5b',
  brown: '#ae5d29',
  dark: '#614335',
};

const hairColors: Readonly<Record<Key<'hair_color'>, string>> = {
  auburn: '#a55728',
  black: '#2c1b18',
  blond: '#d6b370',
  brown: '#724133',
  gray: '#a3a1a0',
  red: '#c93305',
  white: '#e8e1e1',
  bald: '#724133',
};

const backgrounds = ['#cfe8ef', '#f6d8ae', '#d8e2dc', '#e8d7f1', '#ffe5d9', '#c9d6a3', '#b8c0ff'];

const curled: readonly Complexion[] = ['brown', 'dark'];

/** Hair styles and headwear. */
function topsOf(random: Random, { gender, age, hair, complexion, religion, devotion }: Person): string[] {
  if (gender === 'Male') {
    if (hair === 'bald') return [];
    if (curled.includes(complexion)) return ['dreads01', 'dreads02', 'shortCurly', 'theCaesar'];
    if (age > 55) return ['sides', 'shortFlat', 'theCaesarAndSidePart'];
    return ['shortFlat', 'shortRound', 'shortWaved', 'shaggyMullet', 'theCaesarAndSidePart', 'frizzle'];
  }
  if (religion === 'muslim' && devotion > 0.6 && random.chance(0.55)) return ['hijab'];
  if (curled.includes(complexion)) return ['fro', 'froBand', 'curly', 'bigHair', 'dreads'];
  if (age > 56) return ['bob', 'longButNotTooLong', 'curvy'];
  return ['bob', 'bun', 'curvy', 'longButNotTooLong', 'miaWallace', 'straight01', 'straight02', 'bigHair'];
}

/** Draws the options of a portrait from the traits of a person. */
export function drawPortraitOptions(random: Random, person: Person): Portrait {
  const top = topsOf(random, person);
  const hairColor = hairColors[person.hair];
  const isGrown = person.gender === 'Male' && person.age >= 20;
  return {
    seed: String(random.integer(0, 2 ** 31 - 1)),
    size: 500,
    topVariant: top,
    topProbability: top.length ? 100 : 0,
    hairColor: [hairColor],
    skinColor: [skinColors[person.complexion]],
    facialHairVariant: ['beardLight', 'beardMedium', 'beardMajestic', 'moustacheFancy'],
    facialHairProbability: isGrown ? 45 : 0,
    facialHairColor: [hairColor],
    accessoriesVariant: ['prescription01', 'prescription02', 'round'],
    accessoriesProbability: person.age > 45 ? 36 : 19,
    eyesVariant: ['default', 'happy', 'side', 'squint', 'wink'],
    eyebrowsVariant: ['default', 'defaultNatural', 'flatNatural', 'raisedExcitedNatural', 'upDownNatural'],
    mouthVariant: ['default', 'smile', 'twinkle', 'serious'],
    backgroundColor: [random.pick(backgrounds)],
  };
}

/** The portrait as an SVG document. */
export const drawPortrait = (portrait: Portrait): string => new Avatar(style, portrait).toString();

/** The edge length of a drawing. */
const drawn = 500;

/** Renders an SVG as a square JPEG of `size` pixels. Rejects an invalid SVG. */
export function renderPortrait(svg: string, size: number): Promise<Buffer> {
  // In tests the photo service, which blocks SVG in the whole process, can run beside it.
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
  return sharp(Buffer.from(svg), { density: (72 * size) / drawn })
    .resize(size, size)
    .jpeg({ quality: 82, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
