import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportSet, importFile, listSets, runAndReport } from '../../src/judgments/judgments-commands.ts';
import { judgmentSetSchema } from '../../src/evaluation/judgment-set.ts';
import {
  anna,
  criteria,
  drinker,
  smoker,
  startJudgments,
  type JudgmentsUnderTest,
} from './judgments-harness.ts';

let service: JudgmentsUnderTest;
beforeAll(async () => {
  service = await startJudgments('judgmentcommands');
});
afterAll(() => service?.close());

const file = (text: string) => ({ path: 'my.qrels', text, format: 'trec' as const });

/** The printed lines of a command. */
async function printed(
  command: (output: { line: (text: string) => void; data: () => void }) => Promise<void>,
): Promise<string[]> {
  const lines: string[] = [];
  await command({ line: (text) => lines.push(text), data: () => {} });
  return lines;
}

describe('the commands of judgments', () => {
  it('list, import, run and export a set', async () => {
    const { context } = service;
    expect(await printed((to) => listSets(context, to))).toEqual([expect.stringMatching(/^there is no set/)]);
    const { id, name } = await service.newSet();
    const good = file(`anna_in_June 0 ${smoker} 3\nanna_in_June 0 ${drinker} 1\nanna_in_June 0 999 3\n`);
    expect(await printed((to) => importFile(name, good, context, to))).toEqual([
      'grades stored: 2; rows of unknown members left out: 1',
    ]);
    await expect(printed((to) => importFile(name, file('x'), context, to))).rejects.toThrow(
      'my.qrels:\nline 1 must be a search, a member and grades from 0 to 3',
    );
    const now = { change: undefined, note: '', index: 'live' } as const;
    const first = await printed((to) => runAndReport(name, now, context, to));
    const means =
      'nDCG@10 0.710, precision@10 0.100, recall@100 1.000, ERR@10 0.508, judged@10 0.667 over 1 searches';
    expect(first).toEqual([
      expect.stringMatching(`Z  version 1: ${means}$`),
      '  anna in June: nDCG@10 0.710',
    ]);
    service.setNow(new Date(context.clock().getTime() + 1_000));
    const change = { relevance: service.relevance(8, 1) };
    expect(
      await printed((to) => runAndReport(id, { ...now, change, note: 'smoking 8' }, context, to)),
    ).toEqual([
      expect.stringContaining('version 1, changed (smoking 8): nDCG@10 1.000'),
      expect.stringMatching(/^before: .*nDCG@10 0\.710/),
      '  anna in June: nDCG@10 0.710 to 1.000',
      `    ${smoker}: rank 2 to 1`,
      `    ${drinker}: rank 1 to 2`,
    ]);
    await expect(printed((to) => runAndReport(id, { ...now, index: 'shadow' }, context, to))).rejects.toThrow(
      'There is no shadow index: covalence index shadow builds it.',
    );
    expect(await printed((to) => listSets(context, to))).toEqual([
      expect.stringContaining(`${id}  site 1  ${name}  `),
    ]);
    const [json = ''] = await printed((to) => exportSet(name, 'json', context, to));
    expect(judgmentSetSchema.parse(JSON.parse(json)).searches).toEqual([
      {
        name: 'anna in June',
        member: anna,
        criteria,
        sortby: 'relevance',
        grades: { [smoker]: 3, [drinker]: 1 },
      },
    ]);
    expect(await printed((to) => exportSet(name, 'quepid', context, to))).toEqual([
      'query,docid,rater 1\nanna in June,10,3\nanna in June,11,1',
    ]);
    await expect(printed((to) => exportSet('none', 'json', context, to))).rejects.toThrow("no set 'none'");
  });
});
