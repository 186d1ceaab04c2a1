/** One frame: `id` orders and deduplicates, `at` is ISO-8601 UTC; /asyncapi.json says what `data` holds. */
export interface LiveUpdate {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Brings frames into their order, each once but for what comes again behind a `reset`, over any number of sockets. */
export interface UpdateOrder {
  /** Id of the last frame that was given out: where a new socket resumes. */
  readonly lastId: string | undefined;
  /** A new socket: what the last one still owed is told anew. */
  begin(): void;
  /** Takes a frame as it came and gives out those whose turn it is; `ready` is none of them. */
  take(update: LiveUpdate): readonly LiveUpdate[];
}

/**
 * A place in the member's history: numbers have no gaps within an epoch, and what follows them tells two histories apart. A
 * fourth part is of a frame that is in no history and came behind that place.
 * Apps take an id as it is; only this package, which is made with the service, looks into it.
 */
const placeOf = (id: string) => {
  const [epoch = '', number = '', , passing] = id.split('-');
  return { epoch, number: Number(number), isPassing: passing !== undefined };
};

/** The id of the frame whose place this is, or whose place it came behind. */
const withPlace = (id: string) => id.split('-').slice(0, 3).join('-');

/** Whether a frame comes behind some that are still owed, of which the last has that number. */
const isAhead = (id: string, owed: number) => {
  const { number, isPassing } = placeOf(id);
  return number > owed || owed === Infinity || (isPassing && number === owed);
};

/**
 * Creates the order after a frame that was worked off earlier. A socket that resumes may tell of something new before all
 * that was missed: it is held back until the head that `ready` named has come, or `reset`.
 */
export function createUpdateOrder(after?: string): UpdateOrder {
  let lastId = after === undefined ? undefined : withPlace(after);
  let isFirst = true;
  /** The number that missed frames go up to; infinite where a `reset` must come. */
  let owedUpTo: number | undefined;
  let held: LiveUpdate[] = [];

  const isOld = (id: string) => {
    if (lastId === undefined) return false;
    const [frame, last] = [placeOf(id), placeOf(lastId)];
    return id === lastId || (frame.epoch === last.epoch && frame.number < last.number);
  };

  const greet = (id: string) => {
    if (!isFirst) return;
    isFirst = false;
    const place = withPlace(id);
    if (lastId === undefined) {
      lastId = place;
      return;
    }
    const [head, last] = [placeOf(id), placeOf(lastId)];
    if (head.epoch === last.epoch && head.number > last.number) owedUpTo = head.number;
    else if (place !== lastId) owedUpTo = Infinity;
  };

  const giveOut = (update: LiveUpdate): LiveUpdate[] => {
    lastId = withPlace(update.id);
    if (owedUpTo !== undefined && update.type !== 'reset' && placeOf(update.id).number < owedUpTo)
      return [update];
    return [update, ...release()];
  };

  /** Nothing is owed any more: what was held back has its turn. */
  const release = (): LiveUpdate[] => {
    owedUpTo = undefined;
    const waiting = held;
    held = [];
    return waiting.flatMap(take);
  };

  /** A store that had lost the last frame and has it again tells it once more, and no `reset`. */
  const take = (update: LiveUpdate): LiveUpdate[] => {
    if (update.type === 'reset') return giveOut(update);
    if (owedUpTo === Infinity && update.id === lastId) return release();
    if (isOld(update.id)) return [];
    if (owedUpTo === undefined || !isAhead(update.id, owedUpTo)) {
      // What has no place of its own moves nothing on.
      return placeOf(update.id).isPassing ? [update] : giveOut(update);
    }
    held.push(update);
    return [];
  };

  return {
    get lastId() {
      return lastId;
    },
    begin() {
      isFirst = true;
      owedUpTo = undefined;
      held = [];
    },
    take(update) {
      if (update.type !== 'ready') return take(update);
      greet(update.id);
      return [];
    },
  };
}
