import { shade } from './palette.ts';
import type { PortraitTraits } from './portrait-traits.ts';
import { line, mirrored, shape } from './svg.ts';

const jaw =
  'M171 220 C170 300 204 336 250 336 C296 336 330 300 329 220 C325 250 316 266 302 268 C284 262 268 264 250 266 C232 264 216 262 198 268 C184 266 175 250 171 220 Z';
const mustache =
  'M250 264 C236 256 218 262 210 276 C226 276 240 276 250 271 C260 276 274 276 290 276 C282 262 264 256 250 264 Z';
const aroundMouth =
  'M218 272 C224 262 240 262 250 264 C260 262 276 262 282 272 C290 300 276 334 250 336 C224 334 210 300 218 272 Z';

/** What grows on the chin, under the mouth that is drawn over it. */
export function drawBeard({ beard, hair, age }: PortraitTraits): string {
  const color = shade(hair, age > 50 ? 0.15 : -0.06);
  switch (beard) {
    case 'none':
      return '';
    case 'stubble':
      return shape(jaw, color, { opacity: 0.2 });
    case 'short':
      return shape(jaw, color, { opacity: 0.82 }) + shape(mustache, color, { opacity: 0.9 });
    case 'full':
      return (
        shape(
          'M170 214 C166 316 200 366 250 368 C300 366 334 316 330 214 C326 246 318 262 304 266 C284 260 268 262 250 264 C232 262 216 260 196 266 C182 262 174 246 170 214 Z',
          color,
        ) +
        shape(mustache, shade(color, -0.08)) +
        mirrored(line('M216 322 C222 334 230 342 238 346', shade(color, -0.14), 3, { opacity: 0.7 }))
      );
    case 'mustache':
      return shape(mustache, color);
    case 'goatee':
      return shape(aroundMouth, color, { opacity: 0.9 });
    default:
      return '';
  }
}
