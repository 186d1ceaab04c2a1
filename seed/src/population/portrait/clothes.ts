import type { Key } from '../codes.ts';
import { isLight, shade } from './palette.ts';
import type { PortraitTraits } from './portrait-traits.ts';
import { ellipse, line, mirrored, rect, shape } from './svg.ts';

/** How far the shoulders reach beyond the common ones, in pixels. */
const shoulders: Readonly<Record<Key<'build'>, number>> = {
  slim: -16,
  athletic: 12,
  average: 0,
  curvy: 0,
  stocky: 18,
  large: 28,
};

type Garment = (cloth: string, skin: string) => string;

const lapel = (cloth: string) =>
  mirrored(shape('M203 368 L250 470 L226 500 L180 430 L172 392 Z', shade(cloth, -0.18)));

const garments: Readonly<Record<PortraitTraits['clothes'], Garment>> = {
  tee: (_cloth, skin) => shape('M200 368 C210 402 290 402 300 368 L296 356 L204 356 Z', skin),
  vneck: (cloth, skin) =>
    shape('M200 362 L250 440 L300 362 Z', skin) + line('M198 366 L250 442 L302 366', shade(cloth, -0.14), 9),
  scoop: (cloth, skin) =>
    shape('M178 372 C186 432 314 432 322 372 L296 356 L204 356 Z', skin) +
    line('M178 374 C186 434 314 434 322 374', shade(cloth, -0.12), 6),
  shirt: (cloth, skin) =>
    shape('M206 362 L250 420 L294 362 Z', skin) +
    mirrored(shape('M202 356 L250 418 L222 440 L186 376 Z', shade(cloth, isLight(cloth) ? -0.1 : 0.14))) +
    line('M250 420 L250 500', shade(cloth, -0.16), 3) +
    ellipse(258, 446, 4, 4, shade(cloth, isLight(cloth) ? -0.3 : 0.5)) +
    ellipse(258, 482, 4, 4, shade(cloth, isLight(cloth) ? -0.3 : 0.5)),
  turtleneck: (cloth) =>
    rect(207, 332, 86, 56, shade(cloth, 0.06), { rx: 16 }) +
    line('M212 376 C230 388 270 388 288 376', shade(cloth, -0.14), 4),
  hoodie: (cloth, skin) =>
    shape('M204 360 C214 398 286 398 296 360 Z', skin) +
    line('M190 366 C196 418 304 418 310 366', shade(cloth, -0.16), 22) +
    line('M232 414 L228 462 M268 414 L272 462', shade(cloth, 0.55), 5),
  blazer: (cloth, skin) =>
    shape('M208 364 L250 476 L292 364 Z', isLight(cloth) ? '#3d405b' : '#f4f1ea') +
    shape('M206 356 L250 404 L294 356 Z', skin) +
    lapel(cloth),
  stripes: (cloth, skin) =>
    [404, 436, 468]
      .map((y) =>
        line(
          `M70 ${y + 14} C160 ${y} 340 ${y} 430 ${y + 14}`,
          shade(cloth, isLight(cloth) ? -0.3 : 0.62),
          10,
        ),
      )
      .join('') + shape('M196 366 C206 400 294 400 304 366 L296 356 L204 356 Z', skin),
};

/** How far down the throat is seen, in pixels from the top. */
const throats: Readonly<Record<PortraitTraits['clothes'], number>> = {
  tee: 372,
  vneck: 372,
  scoop: 372,
  shirt: 372,
  hoodie: 370,
  blazer: 372,
  stripes: 372,
  turtleneck: 344,
};

/** Neck, shoulders and what is worn over them. */
export function drawBust(traits: PortraitTraits): string {
  const { gender, build, cloth, clothes, skin } = traits;
  const man = gender === 'Male';
  const wide = shoulders[build] + (man ? 22 : 0);
  const left = 84 - wide;
  const right = 416 + wide;
  const neck = man ? 42 : 34;
  const collar = neck + 10;
  const torso = `M${left} 520 C${left + 4} 430 ${left + 44} 400 ${238 - collar} 372 L${250 - collar} 362 L${250 + collar} 362 L${262 + collar} 372 C${right - 44} 400 ${right - 4} 430 ${right} 520 Z`;
  const throat = `M${250 - neck} 270 L${250 - neck} 346 C${250 - neck} 360 ${244 - neck} 366 ${238 - neck} 372 L250 420 L${262 + neck} 372 C${256 + neck} 366 ${250 + neck} 360 ${250 + neck} 346 L${250 + neck} 270 Z`;
  return [
    `<clipPath id="torso"><path d="${torso}"/></clipPath>`,
    shape(torso, cloth),
    `<g clip-path="url(#torso)">${garments[clothes](cloth, skin)}</g>`,
    `<clipPath id="throat"><rect x="0" y="0" width="500" height="${throats[clothes]}"/></clipPath>`,
    shape(throat, skin, { 'clip-path': 'url(#throat)' }),
    shape(
      `M${250 - neck} 306 C${262 - neck} 352 ${238 + neck} 352 ${250 + neck} 306 L${250 + neck} 300 L${250 - neck} 300 Z`,
      shade(skin, -0.16),
    ),
    clothes === 'turtleneck' ? garments.turtleneck(cloth, skin) : '',
  ].join('');
}
