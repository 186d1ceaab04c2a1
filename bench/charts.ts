import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { reach, type Measurement } from './measurement.ts';
import type { Result } from './results.ts';

const green = '#2a7f62';
const gray = '#999999';

/** Renders a chart with a title as SVG. */
async function draw(text: string, subtitle: string, chart: object): Promise<string> {
  const spec = {
    title: { text, subtitle, anchor: 'start', offset: 20, fontSize: 15 },
    background: 'white',
    padding: 16,
    config: { font: 'sans-serif', view: { stroke: null } },
    ...chart,
  } as TopLevelSpec;
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** The length of a bar is limited to this factor. */
const furthest = 10;

const rowOf = (each: Measurement) => {
  const came = reach(each);
  const unit = each.unit === '1/s' ? '/s' : ` ${each.unit}`;
  const [value, reference, ratio] = [each.value, each.reference, each.ratio].map((one) => number.format(one));
  return {
    what: each.what,
    figure: `${value}${unit} beside ${reference}: × ${ratio} (${each.goal})`,
    reach: Math.min(furthest, Math.max(1 / furthest, came ?? 1)),
    verdict: came === undefined ? 'no goal' : came >= 1 ? 'reached' : 'missed',
  };
};

const barsOf = ({ benchmark, at, machine, measured }: Result) => ({
  title: {
    text: benchmark,
    subtitle: `${at.slice(0, 10)}, load average before ${machine.load}`,
    anchor: 'start',
    frame: 'bounds',
  },
  width: 260,
  height: { step: 20 },
  data: { values: measured.map(rowOf) },
  encoding: {
    y: {
      field: 'what',
      type: 'nominal',
      sort: null,
      title: null,
      axis: { labelLimit: 385, minExtent: 390, maxExtent: 390, ticks: false, domain: false },
    },
  },
  layer: [
    {
      mark: { type: 'bar', height: 11 },
      encoding: {
        x: {
          field: 'reach',
          type: 'quantitative',
          scale: { type: 'log', domain: [1 / furthest, furthest] },
          axis: { values: [0.1, 0.2, 0.5, 1, 2, 5, 10], format: '~g', title: null },
        },
        x2: { datum: 1 },
        color: {
          field: 'verdict',
          type: 'nominal',
          scale: { domain: ['reached', 'missed', 'no goal'], range: [green, '#c4552d', gray] },
          legend: null,
        },
      },
    },
    {
      mark: { type: 'text', align: 'left', x: 272, fontSize: 11 },
      encoding: { text: { field: 'figure', type: 'nominal' } },
    },
  ],
});

/** A bar for each measurement of the usual size, with its figures. */
export const drawResults = (results: readonly Result[]): Promise<string> =>
  draw(
    'Each figure against its goal',
    'logarithmic: 1 reaches the goal, 2 is twice as good, 0.5 half as good; green is reached, red is missed',
    { vconcat: results.filter(({ size }) => !Object.keys(size).length).map(barsOf) },
  );

/** A figure over sizes: the prefix of its name, and the title of its chart. */
type Figure = readonly [what: string, title: string];

const searchFigures: readonly Figure[] = [
  ['search p50', 'search p50, ms'],
  ['search p99', 'search p99, ms'],
  ['p50 of a search with', 'with many declines p50, ms'],
  ['rebuild', 'rebuild, members a second'],
  ['event to searchable under 500 updates/s, p99', 'event to searchable p99, ms'],
];
const socketFigures: readonly Figure[] = [
  ['memory of a socket', 'memory of a socket, KiB'],
  ['p50 from event to frame at', 'event to frame p50, ms'],
  ['p99 from event to frame at', 'event to frame p99, ms'],
  ['processor time of an event', 'CPU time of an event, ms'],
  ['one message to all', 'one message to all, ms'],
];

/** The rows of the growth picture: what grows, and its usual size. */
const growing = [
  { benchmark: 'search', axis: 'members', usual: 100_000, figures: searchFigures },
  { benchmark: 'sockets', axis: 'sockets', usual: 10_000, figures: socketFigures },
  { benchmark: 'sockets', axis: 'processes', usual: 1, figures: socketFigures },
] as const;

const pointsOf = (row: (typeof growing)[number], what: string, results: readonly Result[]) =>
  results
    .filter(
      ({ benchmark, size }) =>
        benchmark === row.benchmark && Object.keys(size).every((name) => name === row.axis),
    )
    .flatMap((result) => {
      const found = result.measured.find((one) => one.what.startsWith(what));
      const size = result.size[row.axis] ?? row.usual;
      return found
        ? [
            { size, whose: 'Covalence', value: found.value },
            { size, whose: 'reference', value: found.reference },
          ]
        : [];
    });

const lineOf = (title: string, axis: string, values: readonly object[]) => ({
  title: { text: title, anchor: 'start', fontSize: 12 },
  width: 150,
  height: 120,
  data: { values },
  mark: { type: 'line', point: true },
  encoding: {
    x: { field: 'size', type: 'ordinal', axis: { title: axis, format: '~s', labelAngle: 0, grid: false } },
    y: { field: 'value', type: 'quantitative', axis: { title: null, tickCount: 4, minExtent: 35 } },
    color: {
      field: 'whose',
      type: 'nominal',
      scale: { domain: ['Covalence', 'reference'], range: [green, gray] },
      legend: null,
    },
  },
});

/** The growth of the figures with members, sockets and processes. */
export const drawGrowth = (results: readonly Result[]): Promise<string> =>
  draw('Growth of cost', 'green: Covalence, gray: its reference in the same run; axes start at zero', {
    columns: 5,
    align: 'all',
    bounds: 'flush',
    spacing: { column: 60, row: 70 },
    concat: growing.flatMap((row) =>
      row.figures.map(([what, title]) => lineOf(title, row.axis, pointsOf(row, what, results))),
    ),
  });
