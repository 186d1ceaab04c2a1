import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { drawPortrait, generatePopulation, renderPortrait } from '../../src/population/population.ts';

const now = new Date('2026-11-21T09:00:00Z');
const members = [...generatePopulation({ count: 600, seed: 7, now })];
const traits = members.flatMap(({ portrait }) => (portrait ? [portrait] : []));

describe('portraits', () => {
  it('are deterministic, and nearly always different for different members', () => {
    const drawings = traits.map(drawPortrait);
    expect(structuredClone(traits).map(drawPortrait)).toEqual(drawings);
    expect(new Set(drawings).size).toBeGreaterThan(drawings.length * 0.98);
  });

  it('have no external reference and no undefined value', () => {
    const odd = traits
      .map(drawPortrait)
      .filter((svg) => /undefined|NaN|href="[^#]|<text|<image|<script/.test(svg));
    expect(odd).toEqual([]);
  });

  it('show the traits of the person', () => {
    const women = members.filter(({ fields }) => fields['gender'] === 'Female');
    expect(women.filter(({ portrait }) => portrait && portrait['facialHairProbability'] !== 0)).toEqual([]);
    const gray = members.filter(({ portrait }) => String(portrait?.['hairColor']) === '#a3a1a0');
    expect(gray.length).toBeGreaterThan(10);
    expect(gray.filter(({ fields }) => Number(String(fields['date_of_birth']).slice(0, 4)) > 1985)).toEqual(
      [],
    );
  });

  it.each([500, 250])('are rendered as JPEG squares of %s pixels', async (size) => {
    const [first] = traits;
    if (!first) throw new Error('a population without portraits');
    const image = await renderPortrait(drawPortrait(first), size);
    expect(await sharp(image).metadata()).toMatchObject({ format: 'jpeg', width: size, height: size });
    expect(image.length).toBeLessThan(60_000);
  });

  it('reject an invalid drawing', async () => {
    await expect(renderPortrait('no drawing', 500)).rejects.toThrow('unsupported image format');
  });
});
