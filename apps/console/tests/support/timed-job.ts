import { expect } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { shots, takePicture } from './console-under-test.ts';

/** The jobs of docs/console.md, by the titles of their sections. */
type JobName =
  | 'Work through the queue'
  | 'Ban for fraud'
  | 'Refund a payment'
  | 'Decide on an appeal'
  | 'Replay dead letters'
  | 'Publish a synonym'
  | 'Answer a complaint';

/** Begins a job: each call but `picture` and `done` is one input of the person. */
export function beginJob(page: Page) {
  let begun = performance.now();
  let inputs = 0;
  const pictures: Record<string, string> = {};
  const counted =
    <Values extends readonly unknown[]>(act: (...values: Values) => Promise<unknown>) =>
    async (...values: Values): Promise<void> => {
      inputs += 1;
      await act(...values);
    };
  return {
    click: counted((target: Locator) => target.click()),
    focus: counted((target: Locator) => target.focus()),
    press: counted((key: string) => page.keyboard.press(key)),
    fill: counted((field: Locator, text: string) => field.fill(text)),
    choose: counted((list: Locator, option: string) => list.selectOption(option)),
    check: counted((box: Locator) => box.check()),
    /** Takes a picture of this name for the docs. Its time does not count. */
    async picture(name: string, alternative: string): Promise<void> {
      const before = performance.now();
      await takePicture(page, name);
      begun += performance.now() - before;
      pictures[name] = alternative;
    },
    /** Checks the number of inputs, and records the job in `jobs.json` of the folder for pictures. */
    done(name: JobName, mostInputs: number): void {
      const seconds = Math.round((performance.now() - begun) / 100) / 10;
      expect(inputs).toBeLessThanOrEqual(mostInputs);
      if (!shots) return;
      const file = join(shots, 'jobs.json');
      const jobs = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
      const text = JSON.stringify({ ...jobs, [name]: { inputs, seconds, pictures } }, null, 2);
      writeFileSync(file, `${text}\n`);
    },
  };
}
