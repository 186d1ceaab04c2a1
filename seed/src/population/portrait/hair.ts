import { shade } from './palette.ts';
import type { HairStyle, PortraitTraits } from './portrait-traits.ts';
import { ellipse, line, mirrored, shape } from './svg.ts';

/** A hair style: what lies behind the head and the bust, and what lies over the forehead. */
interface Style {
  readonly back?: (color: string, cloth: string) => string;
  readonly front?: (color: string, cloth: string, skin: string) => string;
}

/** The skull's hair with a straight hairline, for styles that are worn close. */
const cap =
  'M164 214 C154 132 194 84 250 84 C306 84 346 132 336 214 C332 190 326 172 314 156 C292 146 208 146 186 156 C174 172 168 190 164 214 Z';

const strands = (d: string, color: string) => line(d, shade(color, -0.16), 3, { opacity: 0.7 });

const cloud = (points: readonly (readonly [number, number, number])[], color: string) =>
  points.map(([x, y, radius]) => ellipse(x, y, radius, radius, color)).join('');

const styles: Readonly<Record<HairStyle, Style>> = {
  long_straight: {
    back: (color) =>
      shape(
        'M158 210 C148 124 190 78 250 78 C310 78 352 124 342 210 C344 290 352 360 366 418 C330 434 170 434 134 418 C148 360 156 290 158 210 Z',
        color,
      ),
    front: (color) =>
      mirrored(
        shape(
          'M251 92 C212 92 170 122 162 196 C158 240 156 270 152 300 C172 282 178 250 180 226 C186 180 214 150 251 138 Z',
          color,
        ),
      ) +
      strands('M250 92 L250 132 M206 118 C190 140 180 168 177 200 M294 118 C310 140 320 168 323 200', color),
  },
  long_wavy: {
    back: (color) =>
      shape(
        'M156 208 C144 120 188 74 250 74 C312 74 356 120 344 208 C372 250 338 290 364 330 C386 372 362 414 338 424 C290 408 210 408 162 424 C138 414 114 372 136 330 C162 290 128 250 156 208 Z',
        color,
      ),
    front: (color) =>
      shape(
        'M300 92 C236 76 170 112 160 200 C150 236 166 256 152 292 C178 276 184 248 182 224 C196 172 250 158 300 118 Z',
        color,
      ) +
      shape(
        'M284 94 C322 104 344 150 340 206 C352 244 332 262 348 294 C324 278 318 248 319 224 C316 180 306 150 284 118 Z',
        color,
      ) +
      strands('M290 100 C240 118 200 140 184 196', color),
  },
  bob: {
    back: (color) =>
      shape(
        'M156 206 C146 122 190 76 250 76 C310 76 354 122 344 206 C352 250 350 290 340 322 C316 338 184 338 160 322 C150 290 148 250 156 206 Z',
        color,
      ),
    front: (color) =>
      shape(
        'M162 214 C156 128 202 86 250 86 C298 86 344 128 338 214 C334 196 330 186 324 178 C280 186 220 186 176 178 C170 186 166 196 162 214 Z',
        color,
      ) +
      shape('M160 204 C152 250 154 288 164 316 C182 300 182 240 180 196 Z', color) +
      shape('M340 204 C348 250 346 288 336 316 C318 300 318 240 320 196 Z', color) +
      strands(
        'M206 182 C204 150 214 120 232 100 M262 184 C264 150 260 124 254 102 M300 181 C300 150 292 124 276 104',
        color,
      ),
  },
  side_swept: {
    back: (color) =>
      shape(
        'M158 208 C148 122 190 78 250 78 C310 78 352 122 342 208 C350 262 352 310 344 356 C318 372 182 372 156 356 C148 310 150 262 158 208 Z',
        color,
      ),
    front: (color) =>
      shape(
        'M208 96 C262 70 344 104 342 204 C346 250 346 280 342 306 C324 286 320 250 320 222 C312 176 262 160 208 132 C186 150 180 186 180 222 C180 250 176 286 158 306 C154 280 154 250 158 204 C160 146 180 112 208 96 Z',
        color,
      ) + strands('M212 112 C260 120 306 150 324 196', color),
  },
  bun: {
    back: (color) => ellipse(250, 78, 46, 42, color) + strands('M222 72 C236 58 264 58 278 72', color),
    front: (color) =>
      shape(
        'M164 212 C156 134 194 88 250 88 C306 88 344 134 336 212 C328 168 300 140 250 138 C200 140 172 168 164 212 Z',
        color,
      ) + strands('M250 90 C236 104 214 124 190 160 M250 90 C264 104 286 124 310 160', color),
  },
  ponytail: {
    back: (color) =>
      shape(
        'M300 96 C372 92 396 170 384 250 C378 296 392 330 372 372 C352 340 342 300 346 250 C350 200 336 150 300 130 Z',
        color,
      ),
    front: (color) =>
      shape(
        'M164 214 C156 134 194 86 252 86 C308 86 344 132 336 212 C326 170 306 142 270 134 C226 138 182 158 164 214 Z',
        color,
      ) + strands('M300 100 C262 106 212 122 182 164', color),
  },
  pixie: {
    front: (color) =>
      shape(
        'M160 228 C148 136 196 80 256 82 C318 84 350 140 338 226 C334 204 328 190 320 180 C300 176 276 160 262 142 C244 164 208 178 182 180 C172 192 168 208 160 228 Z',
        color,
      ) + strands('M262 142 C270 124 272 112 268 100', color),
  },
  curls: {
    back: (color) =>
      cloud(
        [
          [170, 150, 56],
          [208, 104, 56],
          [262, 90, 60],
          [316, 118, 56],
          [340, 172, 52],
          [348, 232, 48],
          [152, 212, 52],
          [160, 272, 46],
          [342, 288, 44],
          [176, 318, 34],
          [328, 326, 32],
        ],
        color,
      ),
    front: (color) =>
      cloud(
        [
          [186, 144, 30],
          [218, 124, 32],
          [256, 118, 33],
          [294, 128, 31],
          [318, 152, 27],
          [172, 176, 24],
          [328, 184, 22],
        ],
        color,
      ) + strands('M196 128 q12 -14 26 -2 M246 112 q14 -12 26 2 M298 132 q12 -6 18 8', color),
  },
  braids: {
    back: (color) =>
      mirrored(
        [0, 1, 2, 3, 4]
          .map((at) =>
            ellipse(150 - at * 3, 270 + at * 32, 21 - at, 22, at % 2 ? shade(color, -0.08) : color),
          )
          .join(''),
      ) + shape('M158 220 C148 126 190 78 250 78 C310 78 352 126 342 220 L342 270 L158 270 Z', color),
    front: (color) =>
      mirrored(
        shape(
          'M251 90 C208 92 164 130 160 214 C160 236 158 252 156 262 C174 254 178 238 179 222 C186 176 214 148 251 136 Z',
          color,
        ),
      ) + strands('M250 92 L250 132', color),
  },
  locs: {
    back: (color) =>
      shape(
        'M160 210 C150 130 190 84 250 84 C310 84 350 130 340 210 L348 310 L152 310 Z',
        shade(color, -0.12),
      ) +
      Array.from({ length: 13 }, (_, at) => {
        const x = 142 + at * 18;
        const sway = (at - 6) * 3;
        return line(
          `M${250 + (x - 250) * 0.8} 140 C${x - 4} 210 ${x + sway * 0.5} 280 ${x + sway} ${330 + ((at * 29) % 40)}`,
          at % 2 ? color : shade(color, 0.1),
          19,
        );
      }).join(''),
    front: (color) =>
      shape(
        'M164 212 C154 130 194 84 250 84 C306 84 346 130 336 212 C330 176 310 150 250 142 C190 150 170 176 164 212 Z',
        color,
      ) +
      Array.from({ length: 6 }, (_, at) =>
        line(
          `M${250 + (at - 2.5) * 8} 92 C${250 + (at - 2.5) * 24} 104 ${250 + (at - 2.5) * 32} 122 ${250 + (at - 2.5) * 36} ${142 + Math.abs(at - 2.5) * 9}`,
          shade(color, 0.14),
          4,
        ),
      ).join(''),
  },
  short_soft: {
    back: (color) =>
      cloud(
        [
          [182, 150, 46],
          [226, 112, 48],
          [276, 110, 48],
          [318, 150, 46],
          [166, 208, 34],
          [334, 208, 34],
        ],
        color,
      ),
    front: (color) =>
      shape(
        'M164 226 C152 150 186 96 250 94 C314 96 348 150 336 226 C330 200 326 184 316 172 C296 176 270 164 252 146 C236 164 206 178 184 172 C174 186 170 204 164 226 Z',
        color,
      ) + strands('M252 146 C256 130 254 116 246 104 M206 168 C200 150 206 130 218 116', color),
  },
  headscarf: {
    back: (_color, cloth) =>
      shape(
        'M152 214 C142 118 188 70 250 70 C312 70 358 118 348 214 C352 300 372 360 392 420 C330 452 170 452 108 420 C128 360 148 300 152 214 Z',
        shade(cloth, 0.18),
      ),
    front: (_color, cloth) =>
      shape(
        'M152 214 C142 118 188 70 250 70 C312 70 358 118 348 214 C352 282 330 350 250 366 C170 350 148 282 152 214 Z M178 212 C178 282 212 328 250 328 C288 328 322 282 322 212 C320 160 290 134 250 134 C210 134 180 160 178 212 Z',
        shade(cloth, 0.18),
        { 'fill-rule': 'evenodd' },
      ) +
      shape(
        'M170 296 C196 346 304 346 330 296 C344 340 352 372 330 392 C280 414 220 414 170 392 C148 372 156 340 170 296 Z',
        shade(cloth, 0.12),
      ) +
      line('M176 340 C220 372 286 372 328 336', shade(cloth, -0.06), 4),
  },
  side_part: {
    front: (color) =>
      shape(
        'M164 210 C152 128 192 78 256 80 C318 82 348 132 336 210 C332 192 330 178 322 164 C290 168 236 160 204 138 C192 156 176 164 172 176 C168 188 166 198 164 210 Z',
        color,
      ) + strands('M204 138 C206 120 214 106 226 96 M216 132 C250 148 290 152 318 148', color),
  },
  crew: { front: (color) => shape(cap, color) },
  quiff: {
    front: (color) =>
      shape(
        'M164 212 C158 176 160 140 178 116 C186 78 252 52 304 70 C344 84 346 150 336 212 C332 190 328 172 316 158 C290 150 262 152 232 142 C212 140 192 148 184 160 C172 176 168 194 164 212 Z',
        color,
      ) + strands('M196 124 C220 92 262 80 300 88 M212 138 C236 112 276 102 314 116', color),
  },
  short_curls: {
    front: (color) =>
      cloud(
        [
          [178, 166, 24],
          [186, 132, 28],
          [216, 108, 31],
          [252, 100, 32],
          [288, 108, 31],
          [314, 132, 28],
          [324, 168, 23],
          [220, 134, 22],
          [254, 128, 23],
          [286, 136, 21],
          [170, 196, 14],
          [331, 196, 14],
        ],
        color,
      ) + strands('M200 118 q12 -12 24 0 M246 100 q12 -12 24 0 M284 120 q10 -10 20 2', color),
  },
  shaggy: {
    back: (color) =>
      shape(
        'M154 214 C142 126 190 72 250 72 C310 72 358 126 346 214 C352 252 350 280 338 304 L162 304 C150 280 148 252 154 214 Z',
        color,
      ),
    front: (color) =>
      shape(
        'M160 232 C148 130 196 80 252 80 C310 80 352 130 340 232 C334 212 330 196 324 184 C312 188 300 178 294 164 C284 180 262 182 250 160 C240 182 214 186 204 168 C198 182 188 188 178 184 C170 196 166 212 160 232 Z',
        color,
      ) +
      strands(
        'M250 156 C246 132 250 112 260 96 M204 164 C204 140 212 122 226 108 M294 160 C296 138 290 120 282 108',
        color,
      ),
  },
  buzz: { front: (color, _cloth, skin) => shape(cap, skin) + shape(cap, color, { opacity: 0.72 }) },
  man_bun: {
    back: (color) => ellipse(258, 70, 30, 28, color),
    front: (color) =>
      shape(
        'M164 216 C154 132 194 84 250 84 C306 84 346 132 336 216 C328 168 300 138 250 134 C200 138 172 168 164 216 Z',
        color,
      ) + strands('M254 86 C232 104 206 124 188 160 M256 86 C276 104 296 124 314 160', color),
  },
  receding: {
    front: (color) =>
      shape(
        'M164 216 C152 132 194 90 250 90 C306 90 348 132 336 216 C333 196 329 182 324 172 C320 148 308 126 290 122 C278 132 262 124 250 122 C238 124 222 132 210 122 C192 126 180 148 176 172 C171 182 167 196 164 216 Z',
        color,
      ),
  },
  bald: { front: () => line('M204 142 C212 130 224 124 238 121', '#ffffff', 7, { opacity: 0.3 }) },
};

/** Styles that hide the ears. */
export const coversEars: readonly HairStyle[] = [
  'long_straight',
  'long_wavy',
  'bob',
  'side_swept',
  'curls',
  'braids',
  'headscarf',
  'locs',
  'shaggy',
];

/** The hair behind the head. */
export function drawBackHair({ hairStyle, hair, cloth }: PortraitTraits): string {
  return styles[hairStyle].back?.(shade(hair, -0.14), cloth) ?? '';
}

/** The hair over the forehead. */
export function drawFrontHair({ hairStyle, hair, cloth, skin }: PortraitTraits): string {
  return styles[hairStyle].front?.(hair, cloth, skin) ?? '';
}
