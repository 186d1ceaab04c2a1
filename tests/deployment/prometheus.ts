import { goTool, run } from '@covalence/testing/tools';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root } from './files.ts';

/** The program that checks rules and evaluates queries without a server. */
export const promtool = (mayBuild: boolean): Promise<string> =>
  goTool(
    {
      name: 'promtool',
      pack: 'github.com/prometheus/prometheus/cmd/promtool',
      version: 'v0.315.0',
      // Without the scrape configuration, which needs a cluster.
      tags: ['remove_all_sd', 'builtinassets'],
    },
    mayBuild,
  );

/** A series, and its value at each minute; `_` where it has none, as a counter before it first counts. */
export type Samples = ReadonlyMap<string, readonly (number | '_')[]>;

/** A query and the minute at which it is asked. */
interface Question {
  readonly query: string;
  readonly minute: number;
}

/** No query has this value, so promtool reports what it found instead. */
const never = -4_711;

/**
 * Answers queries over series and the recording rules of the objectives; an answer has the values of its series. promtool has no
 * way to ask but a test that fails.
 */
export async function answersOf(
  program: string,
  folder: string,
  samples: Samples,
  questions: readonly Question[],
): Promise<number[][]> {
  const file = join(folder, 'questions.test.yaml');
  const test = {
    interval: '1m',
    input_series: [...samples].map(([series, values]) => ({ series, values: values.join(' ') })),
    promql_expr_test: questions.map(({ query, minute }) => ({
      expr: query,
      eval_time: `${minute}m`,
      exp_samples: [{ labels: '{}', value: never }],
    })),
  };
  const rules = [join(root, 'observability/objectives.yaml')];
  writeFileSync(
    file,
    stringify({ rule_files: rules, evaluation_interval: '1m', tests: [test] }, { lineWidth: 0 }),
  );
  const report = await run(program, ['test', 'rules', file]).then(
    () => '',
    ({ message }: Error) => message,
  );
  const answers = [...report.matchAll(/^ *got: (.*)$/gm)].map(([, found = '']) =>
    [...found.matchAll(/\} (\S+?)(?=, \{|$)/g)].map(([, value = '']) =>
      Number(value.replace('Inf', 'Infinity')),
    ),
  );
  if (answers.length !== questions.length) throw new Error(`promtool does not answer:\n${report}`);
  return answers;
}
