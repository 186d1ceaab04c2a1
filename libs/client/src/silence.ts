/** Finds out that a connection is dead which does not show it. Pages hear nothing of a server's pings. */
export interface Silence {
  /** Something has to come in time, or it is given up. */
  expect(): void;
  /** Something came: only a long silence is asked about. */
  heard(): void;
  stop(): void;
}

/** How much longer a connection may be silent that was not asked. */
const silences = 15;

/** Watches one connection: `ask` makes it answer, `giveUp` is called once nothing came within `answerWithin` milliseconds. */
export function watchSilence(
  answerWithin: number,
  { ask, giveUp }: { readonly ask: () => void; readonly giveUp: () => void },
): Silence {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (work: () => void, milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
  const expect = () => wait(giveUp, answerWithin);
  const askAgain = () => {
    ask();
    expect();
  };
  return {
    expect,
    heard: () => wait(askAgain, answerWithin * silences),
    stop: () => clearTimeout(timer),
  };
}
