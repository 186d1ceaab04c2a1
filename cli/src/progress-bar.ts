/** Shows the progress of work of a known size. */
interface ProgressBar {
  /** Draws a share, 0 to 1, and a text. */
  update(share: number, text: string): void;
  /** Prints a line above the bar. */
  note(text: string): void;
  /** Ends the bar's line. */
  end(): void;
}

/** Length of the bar; it is left out below `least`. */
const cells = { most: 30, least: 5 };
/** Interval of lines when the output is not a terminal. */
const quietMs = 5_000;

const left = (share: number, elapsedMs: number): string => {
  if (share <= 0 || share >= 1) return '';
  const seconds = Math.ceil((elapsedMs * (1 - share)) / share / 1_000);
  return `, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
};

/** The bar and the text, no wider than the terminal. */
function lineOf(share: number, tail: string, columns: number): string {
  const room = Math.min(cells.most, columns - tail.length - '[] '.length - 1);
  if (room < cells.least) return tail.trim().slice(0, columns - 1);
  const full = Math.round(share * room);
  return `[${'#'.repeat(full)}${'-'.repeat(room - full)}] ${tail}`;
}

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown };

/** Creates a bar that redraws itself on a terminal and otherwise prints a line every few seconds. */
export function createProgressBar(out: Screen = process.stdout): ProgressBar {
  const begun = Date.now();
  let from: number | undefined;
  let said = begun;
  let isDrawn = false;
  return {
    update(share, text) {
      from ??= share;
      const ownShare = from < 1 ? (share - from) / (1 - from) : 1;
      const percent = `${Math.floor(share * 100)} %`.padStart(5);
      const tail = `${percent}  ${text}${left(ownShare, Date.now() - begun)}`;
      if (out.isTTY) {
        out.write(`\r${lineOf(share, tail, out.columns)}\u001B[K`);
        isDrawn = true;
      } else if (Date.now() - said >= quietMs) {
        out.write(`${tail.trim()}\n`);
        said = Date.now();
      }
    },
    note: (text) => void out.write(`${text}\n`),
    end() {
      if (isDrawn) out.write('\n');
      isDrawn = false;
    },
  };
}
