/** Attributes of an SVG element; numbers as they are. */
export type Attributes = Readonly<Record<string, string | number>>;

const attributes = (values: Attributes) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');

/** A filled path. */
export function shape(d: string, fill: string, more: Attributes = {}): string {
  return `<path d="${d}" fill="${fill}"${attributes(more)}/>`;
}

/** A stroked path with round ends. */
export function line(d: string, stroke: string, width: number, more: Attributes = {}): string {
  return `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${attributes(more)}/>`;
}

/** An ellipse; a circle without the second radius. */
export function ellipse(
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  fill: string,
  more: Attributes = {},
): string {
  return `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${fill}"${attributes(more)}/>`;
}

/** A rectangle, with rounded corners if given. */
export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  more: Attributes = {},
): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${attributes(more)}/>`;
}

/** The same once more, mirrored at the middle of the drawing (x = 250). */
export function mirrored(content: string): string {
  return `${content}<g transform="translate(500 0) scale(-1 1)">${content}</g>`;
}
