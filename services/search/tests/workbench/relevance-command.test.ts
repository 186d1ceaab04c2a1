import { createProgram, runProgram } from '@covalence/runtime/command';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { exportSet } from '../../src/judgments/judgments-commands.ts';
import { addRelevanceCommand, type WithLab } from '../../src/workbench/relevance-command.ts';
import {
  drinker,
  neither,
  other,
  smoker,
  startJudgments,
  type JudgmentsUnderTest,
} from '../judgments/judgments-harness.ts';

let service: JudgmentsUnderTest;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'covalence-relevance-'));
  service = await startJudgments('relevancecommand');
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Text that a command writes. */
function collected() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, lines: () => text.trimEnd().split('\n') };
}

async function relevance(...args: readonly string[]): Promise<string[]> {
  const { context } = service;
  const [out, problems] = [collected(), collected()];
  const program = createProgram('covalence', '', { stdout: out.stream, stderr: problems.stream });
  const withLab: WithLab = async (_needs, work) => {
    const { content } = await context.settings.store.inForce();
    const file = { ...context.settings.active.ofFile, version: 1 };
    await work({ config: { RELEVANCE_FILE: file, MAPPING_FILE: context.index.mapping }, context, content });
  };
  // Listening to the process of the test run would end that.
  addRelevanceCommand(program, { withLab, folder, interrupted: new AbortController().signal });
  const code = await runProgram(program, ['relevance', ...args]);
  expect([code, problems.lines()]).toEqual([0, ['']]);
  return out.lines();
}

const labels = {
  ndcg: 'nDCG@10',
  precision: 'precision@10',
  recall: 'recall@100',
  err: 'ERR@10',
  judged: 'judged@10',
} as const;

describe('covalence relevance --show', () => {
  it('prints the metrics and the moves that the page of judgments shows for the same set', async () => {
    const set = await service.newSet();
    await service.rate(set, { [smoker]: 3, [drinker]: 1 });
    // The mean of two raters is no whole number.
    await service.rateAs(other, set, [[smoker, 2]]);
    const settings = { relevance: service.relevance(8, 1) };
    const before = await service.good(`/${set.id}/runs`, {});
    service.setNow(new Date(Date.parse(before.at) + 1_000));
    const after = await service.good(`/${set.id}/runs`, { settings });
    const { searches } = await service.good(`/${set.id}/runs/${after.id}?against=${before.id}`);
    const json: string[] = [];
    await exportSet(set.name, 'json', service.context, { line: (line) => json.push(line), data: () => {} });
    writeFileSync(join(folder, 'judgments.json'), json.join('\n'));
    writeFileSync(join(folder, 'my.json'), JSON.stringify(settings));

    const printed = await relevance('--judgments', 'judgments.json', '--settings', 'my.json', '--show');

    const cells = printed.map((line) => line.trim().split(/\s+/));
    for (const [key, label] of Object.entries(labels) as [keyof typeof labels, string][]) {
      const figures = [before, after].map(({ mean }) => mean[key].toFixed(3));
      expect(cells).toContainEqual([label, ...figures, expect.stringMatching(/^[+-]\d\.\d{3}$/)]);
    }
    const rows = cells.slice(cells.findIndex(([first]) => first === 'rank') + 1);
    expect(rows.map(([rank, was, member, grade]) => [rank, was, member, grade])).toEqual([
      ['1', '2', String(smoker), '2.5'],
      ['2', '1', String(drinker), '1'],
      ['3', '3', String(neither), '–'],
    ]);
    const moves = rows.flatMap(([rank, was, member]) =>
      rank === was ? [] : [{ member: Number(member), before: Number(was), after: Number(rank) }],
    );
    expect(searches[0].moves).toEqual(moves);
  });
});
