/** One frame: `id` orders and deduplicates, `at` is ISO-8601 UTC; /asyncapi.json describes `data`. */
export interface LiveUpdate {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * A position in the member's history: numbers have no gaps within an epoch, and the suffix distinguishes two histories. A
 * fourth part marks a frame after that position that the history does not keep.
 * Ids are opaque to apps; only this package, which is released with the service, reads them.
 */
const placeOf = (id: string) => {
  const [epoch = '', number = '', , passing] = id.split('-');
  return { epoch, number: Number(number), isPassing: passing !== undefined };
};

/** The id of the frame at this position. */
const positionOf = (id: string) => id.split('-').slice(0, 3).join('-');

/** Whether a frame follows missed frames that have not arrived yet, up to that number. */
const isAhead = (id: string, missing: number) => {
  const { number, isPassing } = placeOf(id);
  return number > missing || missing === Infinity || (isPassing && number === missing);
};

/**
 * Delivers frames in order and once across sockets, except repetitions after a `reset`; `after` was processed earlier. A socket that resumes may receive new frames before the missed
 * ones: they are held back until the head that `ready` named has arrived, or `reset`.
 */
export function createUpdateOrder(after?: string) {
  let lastId = after === undefined ? undefined : positionOf(after);
  let isFirst = true;
  /** The number of the last missed frame; infinite while a `reset` is expected. */
  let missingUpTo: number | undefined;
  let held: LiveUpdate[] = [];

  const isOld = (id: string) => {
    if (lastId === undefined) return false;
    const [frame, last] = [placeOf(id), placeOf(lastId)];
    return id === lastId || (frame.epoch === last.epoch && frame.number < last.number);
  };

  const greet = (id: string) => {
    if (!isFirst) return;
    isFirst = false;
    const place = positionOf(id);
    if (lastId === undefined) {
      lastId = place;
      return;
    }
    const [head, last] = [placeOf(id), placeOf(lastId)];
    if (head.epoch === last.epoch && head.number > last.number) missingUpTo = head.number;
    else if (place !== lastId) missingUpTo = Infinity;
  };

  const giveOut = (update: LiveUpdate): LiveUpdate[] => {
    lastId = positionOf(update.id);
    if (missingUpTo !== undefined && update.type !== 'reset' && placeOf(update.id).number < missingUpTo)
      return [update];
    return [update, ...release()];
  };

  /** All missed frames have arrived: delivers the frames that were held back. */
  const release = (): LiveUpdate[] => {
    missingUpTo = undefined;
    const waiting = held;
    held = [];
    return waiting.flatMap(take);
  };

  /** A store that had lost the last frame and has it again sends it once more, without `reset`. */
  const take = (update: LiveUpdate): LiveUpdate[] => {
    if (update.type === 'reset') return giveOut(update);
    if (missingUpTo === Infinity && update.id === lastId) return release();
    if (isOld(update.id)) return [];
    if (missingUpTo === undefined || !isAhead(update.id, missingUpTo)) {
      // A frame without a position of its own does not advance the order.
      return placeOf(update.id).isPassing ? [update] : giveOut(update);
    }
    held.push(update);
    return [];
  };

  return {
    /** Id of the last delivered frame, at which a new socket resumes. */
    get lastId(): string | undefined {
      return lastId;
    },
    /** Starts a new socket, which repeats the frames that the last one did not deliver. */
    begin(): void {
      isFirst = true;
      missingUpTo = undefined;
      held = [];
    },
    /** Accepts a received frame and returns the frames to deliver now; never `ready`. */
    take(update: LiveUpdate): readonly LiveUpdate[] {
      if (update.type !== 'ready') return take(update);
      greet(update.id);
      return [];
    },
  };
}
