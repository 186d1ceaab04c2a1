import { hasResult, readResult } from '@covalence/bench/capacity/measured';
import type { Measurement } from '@covalence/bench/measurement';
import { table } from './markdown.ts';

/** Figures by saved result, and what limits each. */
const figures: Readonly<Record<string, readonly (readonly [what: string, limitedBy: string])[]>> = {
  gateway: [
    ['requests with a token, × bare middleware', 'Node’s HTTP'],
    ['requests with a token, × nginx', 'Node’s HTTP'],
    ['p99 at 1000 requests/s, × nginx', 'one core'],
    ['p99 beside a flood from one address, × alone', 'one core'],
  ],
  auth: [
    ['token refreshes, × bare oidc-provider', 'a read and a durable write each'],
    ['logins, × bare argon2', 'password hash, 10 ms of a core'],
    ['logins by passkey, × by password', 'pages, and writes of the sign-in'],
    ['p99 of refreshes while 20 log in, × idle', 'the same two cores'],
  ],
  search: [
    ['search p99, × the raw query', 'both cores'],
    ['processor time of a search, × the raw query', 'records of the page'],
    ['p50 of a search with 50000 declines, × with none', '50,000 numbers in a query'],
    ['p99 of a page of the feed, × a search', 'records of the page'],
    ['p99 of the first page of a day, × a search', 'candidates of both sides'],
    ['p99 of a recorded search, × not recorded', 'one write of many searches'],
    ['event to searchable under 500 updates/s, p99, × 1,500 ms', 'pauses of the pretended MongoDB'],
    ['rebuild, × 5,000 members/s', 'both cores'],
    ['changed weight to the differences of 76 searches, × 5 s', 'searches, eight at once'],
    ['changed weight to the differences of 200 searches, × 5 s', 'searches, eight at once'],
    ['p99 of a comparison under two weights, × 750 ms', 'two searches with explanations'],
  ],
  alerts: [['processor time of an update with 100,000 alerts', 'every alert is compared']],
  sockets: [
    ['memory of a socket, × bare', '18 KiB more in the gateway'],
    ['p50 from event to frame at 1,000/s, × bare', 'commit of a quorum queue'],
    ['one message to all sockets, × bare', 'system calls'],
  ],
  push: [['event to push service, p99', 'two queues, one claim of each device']],
  'growth/push-600-outage': [
    ['everything sent after an outage, × its length', 'circuit pause, claims of the killed'],
  ],
  matching: [
    ['medium: expected matches a day', 'p×q by the same chances'],
    ['medium: the same, against p×q by popularity, too', 'the same'],
    ['medium: Gini coefficient of exposure', 'the longer side'],
    ['medium: fewest expected matches a day', 'the longer side'],
    ['processor time of prices, suggestions and pairs of 50,000 members', 'one core'],
  ],
  interactions: [
    ['p99 from a like’s answer to the other’s socket', 'quorum queue'],
    ['likes, × reads of the counters', 'MongoDB writes'],
  ],
  members: [
    ['GET /users/{id}, × one read of a member', 'four reads and two writes each'],
    ['registrations, × bare argon2', 'password hash'],
  ],
  queue: [
    ['p99 of the next entry', 'audit log, claim, history'],
    ['p99 of the next flagged entry', 'the same'],
  ],
  photos: [
    ['uploads of 3.5 MB, × bare sharp', 'JPEG encoding'],
    ['processor time of hash and look-up, 10,000 banned', 'pixels of the upload'],
    ['copies without 2 % of each edge that are found, × all', 'bits that a crop changes'],
    ['copies without 5 % of each edge that are found, × all', 'the same'],
  ],
};

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

const amount = (value: number, unit: string) =>
  unit === '1/s' ? `${number.format(value)}/s` : `${number.format(value)} ${unit}`;

/** The reference with the ratio to it, and the goal. A reference that is the goal itself, or a number in the name, is left out. */
function beside({ what, unit, reference, ratio, goal }: Measurement): string {
  const name = what.split(', × ')[1] ?? 'reference';
  const [, limit = ''] = /^at \w+ ([\d.,]+)/.exec(goal) ?? [];
  const isGoal = /^\d/.test(name) || Number(limit.replaceAll(',', '')) === reference;
  const compared = isGoal ? [] : [`${name}: ${amount(reference, unit)}, × ${number.format(ratio)}`];
  const bound = goal.replace(/^(ratio )?at least/, '≥').replace(/^(ratio )?at most/, '≤');
  return [...compared, ...(goal === 'no goal' ? [] : [`(${bound})`])].join(' ');
}

/** The figures that `pnpm bench` saved, with their references. */
export function savedFigures(): string {
  const rows = Object.entries(figures).flatMap(([name, some]) => {
    const measured = hasResult(name) ? readResult(name).measured : [];
    const benchmark = name.split('/').at(-1)?.split('-')[0] ?? '';
    return some.map(([what, limitedBy]) => {
      const found = measured.find((one) => one.what === what);
      const cells = found ? [amount(found.value, found.unit), beside(found)] : ['not measured', ''];
      return [`${benchmark}: ${what.split(', × ')[0]}`, ...cells, limitedBy];
    });
  });
  return table(['figure of `pnpm bench …`', 'value', 'reference, × ratio (goal)', 'limited by'], rows);
}
