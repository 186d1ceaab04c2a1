import { withDatabases } from '@covalence/testing/with-databases';
import { lastMonths } from '../../src/operators/transparency-report.ts';
import type { System } from './console-under-test.ts';

const cases = 12;

/** Stores the last months of a transparency report as a job counts them, because none is over while a test runs. */
export async function countMonths({ stack }: System, count: number): Promise<void> {
  const reports = { siteid: 1, measure: 'reports_decided', count: cases, hours: { '5': cases } };
  const decisions = { siteid: 1, measure: 'decisions_by_restriction', count: cases };
  const counted = lastMonths(count, new Date()).map((month) => ({
    _id: month,
    up_to: new Date(),
    closed: true,
    measures: [decisions.measure, reports.measure],
    counts: [
      { ...decisions, category: 'total' },
      { ...decisions, category: 'suspend_with_ban' },
      { ...reports, category: 'total' },
      { ...reports, category: 'scam' },
    ],
  }));
  await withDatabases(async (connection) => {
    const months = connection
      .useDb(`${stack.namespace}-profile`)
      .collection<{ _id: string }>('transparency-months');
    await months.insertMany(counted);
  });
}
