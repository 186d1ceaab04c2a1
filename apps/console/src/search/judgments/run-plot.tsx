import { useTexts } from '../../texts/texts.ts';
import { metrics, type Metric, type Run } from './judgment-queries.ts';
import classes from './run-plot.module.css';
import { pointsOf } from './run-points.ts';

/** Units of the drawing, which is scaled to the width of the page. */
const [width, height, left, bottom, top] = [640, 200, 34, 22, 12];

const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Lines differ in color and dashes. */
const dashes: Readonly<Record<Metric, string>> = {
  ndcg: '',
  precision: '8 4',
  recall: '2 4',
  err: '10 4 2 4',
  judged: '1 6',
};

const yOf = (value: number) => top + (1 - value) * (height - top - bottom);

/** The metrics of runs over time, by version; a hollow point is a run with changed settings. */
export function RunPlot({ runs }: { readonly runs: readonly Run[] }) {
  const { text } = useTexts();
  const measured = runs.filter(({ mean }) => mean).toReversed();
  const step = (width - left - 16) / Math.max(1, measured.length - 1);
  const xOf = (at: number) => left + 8 + at * step;
  const names = Object.entries(metrics) as [Metric, string][];
  return (
    <figure className={classes.figure}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={text('judgments.plot')}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line className={classes.grid} x1={left} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
            <text className={classes.label} x={0} y={yOf(tick) + 4}>
              {tick}
            </text>
          </g>
        ))}
        {measured.map(({ id, version }, at) =>
          version === measured[at - 1]?.version ? null : (
            <text key={id} className={classes.label} x={xOf(at)} y={height - 4} textAnchor="middle">
              {`v${version}`}
            </text>
          ),
        )}
        {names.map(([metric]) => (
          <g key={metric} className={classes[metric]}>
            <polyline
              fill="none"
              stroke="currentColor"
              strokeWidth={2}
              strokeDasharray={dashes[metric]}
              points={pointsOf(measured, metric)
                .map(({ at, value }) => `${xOf(at)},${yOf(value)}`)
                .join(' ')}
            />
            {pointsOf(measured, metric).map(({ id, at, value, changed }) => (
              <circle
                key={id}
                cx={xOf(at)}
                cy={yOf(value)}
                r={4}
                stroke="currentColor"
                strokeWidth={2}
                fill={changed ? 'var(--mantine-color-body)' : 'currentColor'}
              />
            ))}
          </g>
        ))}
      </svg>
      <figcaption className={classes.legend}>
        {names.map(([metric, name]) => (
          <span key={metric}>
            <svg className={classes[metric]} width={32} height={8} aria-hidden>
              <line
                x1={0}
                x2={32}
                y1={4}
                y2={4}
                stroke="currentColor"
                strokeWidth={2}
                strokeDasharray={dashes[metric]}
              />
            </svg>{' '}
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
