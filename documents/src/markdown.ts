/** Text as code. */
export const code = (text: unknown): string => `\`${String(text)}\``;

/** A table as the formatter writes it. */
export function table(header: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [header, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

/** Words in lines of at most 100 characters, as the formatter wraps them. */
export function wrapped(text: string, indentation = ''): string {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= 100) lines.splice(-1, 1, longer);
    else lines.push(`${indentation}${word}`);
  }
  return lines.join('\n');
}

/** Paragraphs, tables and headings with a blank line between them. */
export const blocks = (...all: readonly string[]): string => all.join('\n\n');
