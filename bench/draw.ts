import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

/** A chart as SVG text. */
export async function draw(chart: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile(chart).spec), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
