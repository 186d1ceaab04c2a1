import type { TopLevelSpec } from 'vega-lite';
import { draw } from './draw.ts';
import { growing, type Growing } from './growing.ts';
import type { Result } from './result.ts';

type Unit = Extract<TopLevelSpec, { concat: unknown }>['concat'][number];

interface Point {
  readonly size: number;
  readonly whose: 'Covalence' | 'reference';
  readonly value: number;
}

/** What every kept size says of a figure. */
const pointsOf = ({ benchmark, axis, usual, what }: Growing, results: readonly Result[]): Point[] =>
  results
    .filter((one) => one.benchmark === benchmark && Object.keys(one.size).every((name) => name === axis))
    .flatMap(({ size, measured }) => {
      const found = measured.find((one) => one.what.startsWith(what));
      const at = { size: size[axis] ?? usual };
      return found
        ? [
            { ...at, whose: 'Covalence' as const, value: found.value },
            { ...at, whose: 'reference' as const, value: found.reference },
          ]
        : [];
    });

function chartOf(one: Growing, results: readonly Result[]): Unit {
  const values = pointsOf(one, results);
  return {
    title: { text: one.title, anchor: 'start', fontSize: 12 },
    width: 150,
    height: 120,
    data: { values },
    mark: { type: 'line', point: true },
    encoding: {
      x: {
        field: 'size',
        type: 'ordinal',
        axis: { title: one.axis, format: '~s', labelAngle: 0, grid: false },
      },
      y: { field: 'value', type: 'quantitative', axis: { title: null, tickCount: 4, minExtent: 35 } },
      color: {
        field: 'whose',
        type: 'nominal',
        scale: { domain: ['Covalence', 'reference'], range: ['#2a7f62', '#999999'] },
        legend: null,
      },
    },
  };
}

/** How the figures grow with members, sockets and processes, as one SVG picture: green is Covalence, gray its reference. */
export const drawGrowth = (results: readonly Result[]): Promise<string> =>
  draw({
    title: {
      text: 'How cost grows',
      subtitle: 'green: Covalence, gray: what it is compared with in the same run; each from zero',
      anchor: 'start',
      offset: 20,
      fontSize: 15,
    },
    background: 'white',
    padding: 16,
    columns: 5,
    align: 'all',
    bounds: 'flush',
    spacing: { column: 60, row: 70 },
    concat: growing.map((one) => chartOf(one, results)),
    config: { font: 'sans-serif', view: { stroke: null } },
  });
