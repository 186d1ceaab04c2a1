/** A device on which an app is installed. */
export interface FakeDevice<Message, Answer> {
  readonly token: string;
  /** Every message that reached it. */
  readonly received: readonly Message[];
  /** The shown messages: a later message replaces one of the same key. */
  readonly shown: ReadonlyMap<string, Message>;
  /** Number of requests, refused ones included. */
  readonly requests: () => number;
  /** Sets the next answers; then success again. */
  readonly answer: (...next: readonly Answer[]) => void;
}

/** Creates a device. `take` counts a request for it, takes the message unless another answer is due, and gives the answer. */
export function createFakeDevice<Message, Answer>(
  token: string,
  keyOf: (message: Message) => string,
  onTaken?: (message: Message) => void,
) {
  const received: Message[] = [];
  const shown = new Map<string, Message>();
  const answers: Answer[] = [];
  let asked = 0;
  const device: FakeDevice<Message, Answer> = {
    token,
    received,
    shown,
    requests: () => asked,
    answer: (...next) => void answers.push(...next),
  };
  const take = (read: () => Message): Answer | 'ok' => {
    asked += 1;
    const answer = answers.shift() ?? 'ok';
    if (answer !== 'ok') return answer;
    const message = read();
    received.push(message);
    shown.set(keyOf(message), message);
    onTaken?.(message);
    return 'ok';
  };
  return { device, take };
}
