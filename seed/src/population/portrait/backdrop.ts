import { shade } from './palette.ts';
import type { PortraitTraits } from './portrait-traits.ts';
import { ellipse, line, rect, shape } from './svg.ts';

type Motif = (color: string) => string;

const leaf = (x: number, y: number, turn: number, size: number, color: string) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})">${shape('M0 0 C28 -20 34 -70 0 -110 C-34 -70 -28 -20 0 0 Z', color)}${line('M0 0 L0 -86', shade(color, -0.16), 3)}</g>`;

const books = (color: string) => {
  const spines = ['#d1495b', '#edae49', '#3d7068', '#5b5f97', '#f4f1de', '#e07a5f', '#457b9d'];
  const shelf = (y: number, from: number) =>
    Array.from({ length: 13 }, (_, at) => {
      const height = 62 + ((at * 37 + from * 13) % 38);
      return rect(
        8 + at * 38,
        y - height,
        27 + ((at * 7 + from) % 8),
        height,
        shade(spines[(at + from) % 7] ?? color, 0.35),
      );
    }).join('') + rect(0, y, 500, 12, shade(color, -0.18));
  return shelf(116, 0) + shelf(258, 3) + shelf(400, 5);
};

const skyline = (color: string) =>
  [
    [0, 250, 70],
    [62, 190, 58],
    [122, 285, 60],
    [180, 225, 46],
    [280, 210, 52],
    [330, 150, 60],
    [392, 240, 54],
    [444, 180, 60],
  ]
    .map(([x = 0, top = 0, width = 0], at) =>
      rect(x, top, width, 500 - top, shade(color, at % 2 ? -0.1 : -0.16)),
    )
    .join('');

const motifs: Readonly<Record<PortraitTraits['backdrop'], Motif>> = {
  plain: (color) => ellipse(250, 560, 330, 300, shade(color, -0.07)),
  sun: (color) => ellipse(250, 225, 185, 185, shade(color, 0.45)),
  dots: (color) =>
    Array.from({ length: 42 }, (_, at) =>
      ellipse(
        ((at % 7) + (at % 14 < 7 ? 0.25 : 0.75)) * 78,
        Math.floor(at / 7) * 84 + 34,
        9,
        9,
        shade(color, 0.4),
      ),
    ).join(''),
  arch: (color) =>
    shape('M70 500 L70 240 C70 130 150 60 250 60 C350 60 430 130 430 240 L430 500 Z', shade(color, 0.42)) +
    shape(
      'M110 500 L110 250 C110 155 175 100 250 100 C325 100 390 155 390 250 L390 500 Z',
      shade(color, -0.08),
    ),
  window: (color) =>
    rect(48, 30, 404, 400, shade(color, 0.6), { rx: 8 }) +
    rect(66, 48, 368, 364, '#cfe6f2') +
    ellipse(130, 130, 46, 20, '#ffffff') +
    ellipse(168, 142, 40, 17, '#ffffff') +
    ellipse(370, 96, 44, 18, '#ffffff') +
    line('M250 48 L250 412 M66 230 L434 230', shade(color, 0.6), 12),
  hills: (color) =>
    rect(0, 0, 500, 500, '#cfe5ee') +
    ellipse(396, 96, 42, 42, '#fbe6a2') +
    shape('M0 330 C80 210 150 170 220 250 C300 150 380 190 500 300 L500 500 L0 500 Z', '#9dbfae') +
    shape('M0 400 C120 300 210 330 300 380 C380 330 440 330 500 360 L500 500 L0 500 Z', shade(color, -0.2)),
  leaves: (color) =>
    leaf(40, 190, -28, 1.5, '#7fae8b') +
    leaf(100, 130, 12, 1.15, '#98c2a0') +
    leaf(20, 400, -8, 1.6, '#6d9c7b') +
    leaf(462, 190, 26, 1.5, '#7fae8b') +
    leaf(405, 120, -14, 1.1, '#98c2a0') +
    leaf(484, 400, 10, 1.6, '#6d9c7b') +
    ellipse(250, 560, 330, 260, shade(color, -0.06)),
  city: (color) => ellipse(390, 90, 40, 40, shade(color, 0.6)) + skyline(color),
  sea: (color) =>
    rect(0, 0, 500, 500, '#d5ecf3') +
    ellipse(110, 100, 44, 44, '#fdeab5') +
    rect(0, 270, 500, 130, '#7fb7c9') +
    line('M30 305 q20 -12 40 0 t40 0 M340 330 q20 -12 40 0 t40 0 M60 360 q20 -12 40 0 t40 0', '#a9d3df', 6) +
    shape('M0 392 C150 372 330 408 500 384 L500 500 L0 500 Z', shade(color, 0.3)),
  books,
};

/** What is seen behind somebody. */
export function drawBackdrop({ backdrop, backdropColor }: PortraitTraits): string {
  return rect(0, 0, 500, 500, backdropColor) + motifs[backdrop](backdropColor);
}
