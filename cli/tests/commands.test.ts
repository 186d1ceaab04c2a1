import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';

describe('the commands', () => {
  it('reject a file as data folder with one line', async () => {
    const refused = await runCommand(['migrate', 'status', '--data', import.meta.filename], {
      NAMESPACE: '',
    });
    expect(refused).toMatchObject({ code: 1, problem: expect.stringMatching(/^No stack runs here.*$/) });
  });

  it('create no data folder', async () => {
    const data = join(tmpdir(), `covalence-nothing-${process.pid}`);
    const refused = await runCommand(['migrate', 'status', '--data', data], { NAMESPACE: '' });
    expect([refused.code, existsSync(data)]).toEqual([1, false]);
  });

  it.each([
    ['index', 'rebuild '],
    ['search-settings', 'publish '],
    ['search-settings', 'compare '],
    ['migrate', 'finish '],
    ['events', 'replay '],
    ['relevance', '--members <count>'],
    ['usage', 'export '],
    ['experiment', 'start '],
    ['judgments', 'import '],
    ['judgments', 'create '],
    ['packages', 'check '],
    ['credentials', 'fill '],
  ])('%s prints its help without a stack or an environment', async (name, part) => {
    const help = await runCommand([name, '--help'], { NAMESPACE: '' });
    expect(help).toMatchObject({ code: 0, problem: '', out: expect.stringContaining(part) });
  });

  it.each([
    ['index', 'drop'],
    ['migrate', 'finish'],
  ])('%s rejects an unknown option', async (name, command) => {
    const refused = await runCommand([name, command, '--dry-run'], { NAMESPACE: 'nobody' });
    expect(refused).toEqual({ code: 64, out: '', problem: "Unknown option '--dry-run'. See --help." });
  });

  it('migrate status reports every service, also after a failure', async () => {
    const status = await runCommand(['migrate', 'status'], { NAMESPACE: 'nobody' });
    expect(status.code).not.toBe(0);
    expect(
      status.problem.split('\n').filter((line) => line.endsWith('The configuration is not valid:')),
    ).toHaveLength(4);
  });

  it('relevance compares settings with Elasticsearch alone', async () => {
    const engines = { NAMESPACE: '', MONGODB_URL: '', RABBITMQ_URL: '', REDIS_URL: '' };
    const nowhere = join(tmpdir(), `covalence-nothing-${process.pid}`);
    const measured = await runCommand(['relevance', '--members', '100', '--data', nowhere], engines);
    expect(measured).toMatchObject({ code: 0, problem: '', out: expect.stringContaining('nDCG@10') });
  });

  it('search-settings publish reads standard input and names the lines of bad rules', async () => {
    const file = JSON.stringify({ languages: { en: { synonyms: ['dog, puppy', 'cat', 'a =>'] } } }, null, 2);
    const refused = await runCommand(['search-settings', 'publish', '-'], { NAMESPACE: 'nobody' }, file);
    expect(refused).toEqual({
      code: 1,
      out: '',
      problem: expect.stringMatching(/^-:\nline 6: .*"cat" has one.*\nline 7: .*"a =>" has no words.*$/),
    });
  });

  it('search-settings compare takes criteria as an object, not as a list', async () => {
    const refused = await runCommand(['search-settings', 'compare', '1', '-'], { NAMESPACE: 'nobody' }, '[]');
    expect(refused).toEqual({ code: 1, out: '', problem: '- is not a file with a JSON object.' });
  });

  it.each(['2026-13-01', '2026-02-30', '2026-3-1'])('usage export rejects the day %s', async (day) => {
    const refused = await runCommand(['usage', 'export', '--since', day], { NAMESPACE: 'nobody' });
    expect(refused).toMatchObject({ code: 64, problem: expect.stringContaining('2026-03-01') });
  });

  it('usage judgments rejects actions that it does not count', async () => {
    const refused = await runCommand(['usage', 'judgments', '--by', 'click'], { NAMESPACE: 'nobody' });
    expect(refused).toMatchObject({ code: 64, problem: expect.stringContaining('like or view') });
  });

  it('relevance resolves paths relative to the folder of the caller', async () => {
    const called = { NAMESPACE: 'nobody', INIT_CWD: '/srv/judged' };
    const refused = await runCommand(['relevance', '--judgments', 'mine.json'], called);
    expect([refused.code, refused.problem.split('\n')[0]]).toEqual([1, '/srv/judged/mine.json:']);
  });
});
