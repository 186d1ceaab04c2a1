/** Shows how far work with a known end has come. */
export interface ProgressBar {
  /** `part` of the whole, 0 to 1; `text` says the rest. */
  update(part: number, text: string): void;
  /** A line above the bar. */
  note(text: string): void;
  /** Ends the bar's line. */
  end(): void;
}

/** Cells of the bar where the terminal has the room; below the least there is none. */
const cells = { most: 30, least: 5 };
/** How often a reader that is no terminal gets a line. */
const quietMs = 5_000;

const left = (part: number, elapsedMs: number): string => {
  if (part <= 0 || part >= 1) return '';
  const seconds = Math.ceil((elapsedMs * (1 - part)) / part / 1_000);
  return `, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
};

/** The bar with what it leaves room for, so that no line is longer than the terminal is wide. */
function lineOf(part: number, tail: string, columns: number): string {
  const room = Math.min(cells.most, columns - tail.length - '[] '.length - 1);
  if (room < cells.least) return tail.trim().slice(0, columns - 1);
  const full = Math.round(part * room);
  return `[${'#'.repeat(full)}${'-'.repeat(room - full)}] ${tail}`;
}

/** What the bar is drawn on. */
type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown };

/** Creates a bar that is drawn over itself on a terminal; elsewhere it is a line every few seconds. */
export function createProgressBar(out: Screen = process.stdout): ProgressBar {
  const begun = Date.now();
  let from: number | undefined;
  let said = begun;
  let isDrawn = false;
  return {
    update(part, text) {
      from ??= part;
      const ownPart = from < 1 ? (part - from) / (1 - from) : 1;
      const percent = `${Math.floor(part * 100)} %`.padStart(5);
      const tail = `${percent}  ${text}${left(ownPart, Date.now() - begun)}`;
      if (out.isTTY) {
        out.write(`\r${lineOf(part, tail, out.columns)}\u001B[K`);
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
