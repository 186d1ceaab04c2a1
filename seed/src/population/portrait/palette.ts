import type { Key } from '../codes.ts';
import type { Complexion } from '../traits/heritage.ts';

/** Skin by complexion, each from lighter to darker. */
export const skinTones: Readonly<Record<Complexion, readonly string[]>> = {
  fair: ['#fbe0cf', '#f9d7c1', '#f6cfb6'],
  light: ['#f6cdae', '#f1c3a0', '#edbb96'],
  olive: ['#e9b88d', '#e2ae80', '#d9a273'],
  tan: ['#d09868', '#c68a59', '#bd8150'],
  brown: ['#a76d43', '#98613a', '#8c5733'],
  dark: ['#7b4a2c', '#6b3f25', '#5b351f'],
};

/** Hair by the catalogue's colors. */
export const hairColors: Readonly<Record<Exclude<Key<'hair_color'>, 'bald'>, string>> = {
  auburn: '#7b3a22',
  black: '#221d1f',
  blond: '#dfb568',
  brown: '#5a3b28',
  gray: '#a3a1a0',
  red: '#b5522b',
  white: '#e6e4df',
};

/** Irises by the catalogue's colors. */
export const irisColors: Readonly<Record<Key<'eye_color'>, string>> = {
  black: '#2a1d17',
  blue: '#4f87b5',
  brown: '#5c3a22',
  gray: '#7b8a92',
  green: '#5f8a5a',
  hazel: '#8a6a3a',
};

/** Clothes. */
export const clothColors: readonly string[] = [
  '#2f4858',
  '#d1495b',
  '#edae49',
  '#3d7068',
  '#5b5f97',
  '#f4f1de',
  '#e07a5f',
  '#81b29a',
  '#3d405b',
  '#9c6644',
  '#b56576',
  '#457b9d',
  '#6a994e',
  '#8d99ae',
  '#33312f',
];

/** Backgrounds. */
export const backdropColors: readonly string[] = [
  '#bfd8d2',
  '#f6d6ad',
  '#f2c6c0',
  '#c9d6ea',
  '#dcd0e8',
  '#cfe3b9',
  '#f3e3b3',
  '#b8d4e3',
  '#e9c9b1',
  '#d6dccb',
  '#f0b7a4',
  '#a9c6c2',
];

const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** A color moved towards black (negative) or white (positive), `amount` from -1 to 1. */
export function shade(color: string, amount: number): string {
  const target = amount < 0 ? 0 : 255;
  const share = Math.abs(amount);
  const mixed = channels(color).map((value) => Math.round(value + (target - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Whether the color is light enough for dark lines on it. */
export function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = channels(color);
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150;
}
