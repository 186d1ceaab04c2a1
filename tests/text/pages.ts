import { readdirSync, readFileSync } from 'node:fs';

/**
 * Checks the pages of docs/: lines of at most 100 characters outside of tables, code and links, tables of at
 * most four columns, valid links to headings, 30 decision records of a page, and 2,200 lines in all without
 * decision records, compliance, the tables of dependencies and what `pnpm contracts`, `pnpm chaos` and `pnpm soak`
 * write into a page. Prints each problem; exits with 1 if there is one.
 */

const longestLine = 100;
const mostColumns = 4;
const mostLines = 2_200;
const mostRecords = 30;
const linesOfRecord = 50;

/** Quotes test titles: they do not wrap, and their lines do not count. */
const quotingTests = 'docs/compliance.md';
/** One row per direct dependency, as `pnpm audit:deps` demands. */
const listingDependencies = 'docs/dependencies.md';

const pagesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const pages = pagesIn('docs');
const others = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'libs/client/README.md',
  'observability/README.md',
  'k8s/README.md',
];
const records = pagesIn('docs/decisions');
const all = [...pages, ...records, ...others];
const textOf = (page: string) => readFileSync(page, 'utf8');
const linesOf = (text: string) => text.split('\n').length - 1;

/** Numbered lines outside of fenced code. */
function proseOf(page: string): readonly (readonly [number, string])[] {
  let isCode = false;
  return textOf(page)
    .split('\n')
    .map((line, index) => [index + 1, line] as const)
    .filter(([, line]) => {
      if (!/^\s*```/.test(line)) return !isCode;
      isCode = !isCode;
      return false;
    });
}

/** Code spans and links cannot be wrapped, so they do not count. */
const unbreakable = /`[^`]*`|\]\([^)]*\)/g;
const isTable = (line: string) => /^\s*\|/.test(line);

function lineProblem(page: string, line: string): string | undefined {
  if (isTable(line)) {
    const columns = line.replaceAll(/`[^`]*`|\\\|/g, '').split('|').length - 2;
    return columns > mostColumns ? `a table of ${columns} columns` : undefined;
  }
  const { length } = line.replaceAll(unbreakable, '');
  return length > longestLine && page !== quotingTests ? `a line of ${length} characters` : undefined;
}

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string) =>
  proseOf(page)
    .filter(([, line]) => /^#+ /.test(line))
    .map(([, line]) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );

function deadAnchors(page: string): string[] {
  const folder = page.split('/').slice(0, -1).join('/') || '.';
  return [...textOf(page).matchAll(/\]\(((?!https?:)[^)#\s]*)#([^)\s]+)\)/g)].flatMap(
    ([, file = '', anchor = '']) => {
      const target = file ? new URL(file, `file:///${folder}/`).pathname.slice(1) : page;
      return target.endsWith('.md') && !anchorsOf(target).includes(anchor)
        ? [`${file}#${anchor} leads nowhere`]
        : [];
    },
  );
}

/** The output of a command in a page, with its markers. */
const generated = /^<!-- generated: \w+ -->\n[^]*?^<!-- end of generated -->\n/gm;

const rowOfDependencies = /^\| `.*\n/gm;

function countedTextOf(page: string): string {
  const text = textOf(page).replaceAll(generated, '');
  return page === listingDependencies ? text.replaceAll(rowOfDependencies, '') : text;
}

const lines = pages
  .filter((page) => page !== quotingTests)
  .reduce((sum, page) => sum + linesOf(countedTextOf(page)), 0);

const problems = [
  ...all.flatMap((page) => [
    ...proseOf(page).flatMap(([number, line]) => {
      const problem = lineProblem(page, line);
      return problem ? [`${page}:${number}: ${problem}`] : [];
    }),
    ...deadAnchors(page).map((problem) => `${page}: ${problem}`),
  ]),
  ...records.flatMap((page) => {
    const length = linesOf(textOf(page));
    return length > linesOfRecord ? [`${page}: ${length} lines; at most ${linesOfRecord}`] : [];
  }),
  ...(records.length > mostRecords
    ? [`docs/decisions: ${records.length} records; at most ${mostRecords}: merge those that are one decision`]
    : []),
  ...(lines > mostLines ? [`docs: ${lines} lines; at most ${mostLines}`] : []),
];

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length ? 1 : 0;
