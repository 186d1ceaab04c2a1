/** Pixels of a drawing, three bytes each. */
export interface Drawing {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3;
}

/** The generator of Park and Miller, whose products are exact in floating point and easy to repeat in other languages. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/**
 * A drawing of overlapping translucent ellipses, which differ with the seed. `photos/image/pdq-expected.py` draws the same in
 * Python.
 */
export function drawing(seed: number, width = 256, height = 256, shapes = 80): Drawing {
  const next = numbersFrom(seed);
  const data = Buffer.alloc(width * height * 3, 128);
  for (let shape = 0; shape < shapes; shape += 1) {
    const [x, y] = [next(width), next(height)];
    const [rx, ry] = [(width >> 5) + next(width >> 2), (height >> 5) + next(height >> 2)];
    const color = [next(256), next(256), next(256)];
    for (let row = Math.max(0, y - ry); row <= Math.min(height - 1, y + ry); row += 1) {
      for (let column = Math.max(0, x - rx); column <= Math.min(width - 1, x + rx); column += 1) {
        if (((column - x) * ry) ** 2 + ((row - y) * rx) ** 2 > (rx * ry) ** 2) continue;
        const at = (row * width + column) * 3;
        color.forEach((value, channel) => {
          data[at + channel] = ((data[at + channel] ?? 0) + value) >> 1;
        });
      }
    }
  }
  return { data, width, height, channels: 3 };
}
