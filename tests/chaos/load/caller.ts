import { bodyOf, outcomeOf, type Outcome } from './answers.ts';

/** A request and its outcome. */
export interface Answered {
  /** Name of the request, e.g. 'like'. */
  readonly what: string;
  readonly outcome: Outcome;
  /** 0 without an answer. */
  readonly status: number;
  readonly milliseconds: number;
  /** Time of the answer (Date.now()). */
  readonly at: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A request of the load. */
export interface Call {
  readonly what: string;
  readonly path: string;
  readonly token?: string;
  /** A text is sent as it is. */
  readonly json?: object | string;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A hosted page, which refuses in HTML. */
  readonly page?: true;
}

/** Sends a request; never rejects. */
export type Caller = (call: Call) => Promise<Answered>;

const bodyOfCall = ({ json, form }: Call): Pick<RequestInit, 'body'> => {
  if (form) return { body: new URLSearchParams(form) };
  return json ? { body: typeof json === 'string' ? json : JSON.stringify(json) } : {};
};

const headersOf = ({ json, token, headers }: Call): Record<string, string> => ({
  ...(json && { 'Content-Type': 'application/json' }),
  ...(token && { Authorization: `Bearer ${token}` }),
  ...headers,
});

/** Creates the caller. A request without a complete answer hangs after `limitMs`; `onAnswer` receives every one. */
export function createCaller(base: string, limitMs: number, onAnswer: (answered: Answered) => void): Caller {
  return async (call) => {
    const { what, path } = call;
    const method = call.json || call.form ? 'POST' : 'GET';
    const begun = performance.now();
    const signal = AbortSignal.timeout(limitMs);
    let response: Response | undefined;
    const tell = (outcome: Outcome, text = ''): Answered => {
      const answered: Answered = {
        what,
        outcome,
        status: response?.status ?? 0,
        milliseconds: performance.now() - begun,
        at: Date.now(),
        headers: response?.headers ?? new Headers(),
        body: bodyOf({ text }),
        text,
      };
      onAnswer(answered);
      return answered;
    };
    try {
      response = await fetch(new URL(path, base), {
        method,
        redirect: 'manual',
        signal,
        ...bodyOfCall(call),
        headers: headersOf(call),
      });
      const text = await response.text();
      const { status, headers } = response;
      return tell(outcomeOf({ status, headers, text }, call.page), text);
    } catch {
      if (signal.aborted) return tell('late');
      return tell(response ? 'cut' : 'reset');
    }
  };
}
