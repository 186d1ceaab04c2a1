import { drawAccessories } from './accessories.ts';
import { drawBackdrop } from './backdrop.ts';
import { drawBeard } from './beard.ts';
import { drawBust } from './clothes.ts';
import { drawFeatures, drawHead } from './face.ts';
import { drawBackHair, drawFrontHair } from './hair.ts';
import type { PortraitTraits } from './portrait-traits.ts';

/** A portrait as an SVG document of 500 by 500, without any text or reference to other files. */
export function drawPortrait(traits: PortraitTraits): string {
  const pose = `rotate(${traits.tilt} 250 340) translate(250 0) scale(${traits.breadth} 1) translate(-250 0)`;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500" width="500" height="500">',
    drawBackdrop(traits),
    `<g transform="${pose}">${drawBackHair(traits)}</g>`,
    drawBust(traits),
    `<g transform="${pose}">`,
    drawHead(traits),
    drawBeard(traits),
    drawFeatures(traits),
    drawFrontHair(traits),
    drawAccessories(traits),
    '</g></svg>',
  ].join('');
}
