/** Detects a dead connection. Browsers do not expose the server's pings. */
export interface Silence {
  /** Starts the wait for an answer; without one in time the connection is given up. */
  expect(): void;
  /** Something was received: the next probe follows a long silence. */
  heard(): void;
  stop(): void;
}

/** How many times `answerWithin` a connection may be silent before it is probed. */
const silences = 15;

/** Watches one connection: `ask` probes it, `giveUp` is called when nothing arrives within `answerWithin` milliseconds. */
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
