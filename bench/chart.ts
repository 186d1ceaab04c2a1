import type { TopLevelSpec } from 'vega-lite';
import { draw } from './draw.ts';
import { reach, type Measurement } from './measurement.ts';
import type { Result } from './result.ts';

type UnitOrLayer = Extract<TopLevelSpec, { vconcat: unknown }>['vconcat'][number];

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** Bars end here: what is a hundred times off is drawn as ten times. */
const furthest = 10;

interface Row {
  readonly what: string;
  readonly figure: string;
  /** How far it comes towards its goal; 1 without one, which draws nothing. */
  readonly reach: number;
  readonly verdict: 'reached' | 'missed' | 'no goal';
}

const rowOf = (each: Measurement): Row => {
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

const marks = [0.1, 0.2, 0.5, 1, 2, 5, 10];

const partOf = ({ benchmark, at, machine, measured }: Result): UnitOrLayer => ({
  title: {
    text: benchmark,
    subtitle: `${at.slice(0, 10)}, load before it ${machine.load}`,
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
          axis: { values: marks, format: '~g', title: null },
        },
        x2: { datum: 1 },
        color: {
          field: 'verdict',
          type: 'nominal',
          scale: { domain: ['reached', 'missed', 'no goal'], range: ['#2a7f62', '#c4552d', '#999999'] },
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

const chartOf = (results: readonly Result[]): TopLevelSpec => ({
  title: {
    text: 'How far every figure comes towards its goal',
    subtitle:
      'on a logarithmic scale: 1 reaches it, 2 is twice as good as asked, 0.5 half; green reaches it, red does not',
    anchor: 'start',
    offset: 20,
    fontSize: 15,
  },
  background: 'white',
  padding: 16,
  vconcat: results.map(partOf),
  config: { font: 'sans-serif', view: { stroke: null } },
});

/** The results as one SVG picture: a bar for each measurement, with its figures beside it. */
export const drawResults = (results: readonly Result[]): Promise<string> => draw(chartOf(results));
