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

/**
 * Watches one connection: `probe` sends something that is answered, `giveUp` is called when nothing arrives
 * within `answerWithin` milliseconds.
 */
export function watchSilence(
  answerWithin: number,
  { probe, giveUp }: { readonly probe: () => void; readonly giveUp: () => void },
): Silence {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (work: () => void, milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
  const expect = () => wait(giveUp, answerWithin);
  const probeAgain = () => {
    probe();
    expect();
  };
  return {
    expect,
    heard: () => wait(probeAgain, answerWithin * silences),
    stop: () => clearTimeout(timer),
  };
}
