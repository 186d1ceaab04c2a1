import { z } from 'zod';
import { blocks, table } from './markdown.ts';

/** Records of jobs by the titles of their sections, as the tests of the console write them. */
const jobsSchema = z.record(
  z.string(),
  z.object({
    inputs: z.int(),
    seconds: z.number(),
    /** Alternative texts by the names of pictures. */
    pictures: z.record(z.string(), z.string()),
  }),
);

const fileOf = (picture: string) => `console/${picture}.webp`;
const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

/** The inputs, seconds and pictures of each job. */
export function consoleJobs(recorded: string): string {
  const jobs = Object.entries(jobsSchema.parse(JSON.parse(recorded)));
  const rows = jobs.map(([title, { inputs, seconds, pictures }]) => [
    `[${title}](#${anchorOf(title)})`,
    String(inputs),
    String(seconds),
    Object.keys(pictures)
      .map((picture) => `[${picture}](${fileOf(picture)})`)
      .join(', '),
  ]);
  const pictures = jobs.flatMap(([, job]) => Object.entries(job.pictures));
  return blocks(
    table(['job', 'inputs', 'seconds', 'pictures'], rows),
    pictures.map(([picture, alternative]) => `![${alternative}](${fileOf(picture)})`).join('\n'),
  );
}
