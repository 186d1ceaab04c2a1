import { stringOption, type Action, type ActionCall } from '../operator-command.ts';
import type { OperatedService } from '../service-target.ts';
import { dataOf, openStaffClient, type StaffClient } from './staff-client.ts';

/** The option of every action for a staff account. */
export const actingAs = { '--as <username>': 'the staff account that acts' };

/** The option of actions that select by site. */
export const oneSite = { '--site <siteid>': 'one site only' };

/** Options of actions that list page by page. */
export const paging = {
  '--page-size <count>': 'entries of a page, 1 to 100 (default 20)',
  '--cursor <cursor>': 'continue after the previous page',
};

/** The site that the option `--site` names. */
export const siteOf = (call: Pick<ActionCall, 'options'>) => stringOption(call, 'site');

/** The page that the options of `paging` choose. */
export const pageOf = (call: Pick<ActionCall, 'options'>) => ({
  pagesize: stringOption(call, 'pageSize'),
  cursor: stringOption(call, 'cursor'),
});

/** A client of a service for the account of the option `--as`. */
export const openClient = (call: ActionCall, service: OperatedService = 'profile') =>
  openStaffClient(call.reach, stringOption(call, 'as'), service);

/** An action that makes one call for a staff account. */
interface StaffAction<Data> extends Omit<Action, 'run'> {
  /** The service that is called; profile by default. */
  readonly service?: OperatedService;
  readonly send: (api: StaffClient, call: ActionCall) => Promise<{ readonly data?: Data }>;
  /** The answer for a person; `Done.` by default. */
  readonly lines?: (data: Data, call: ActionCall) => readonly string[] | Promise<readonly string[]>;
}

/** Creates an action that makes one call for the account of the option `--as`, and prints its answer. */
export const staffAction = <Data>({
  service,
  options,
  send,
  lines = () => ['Done.'],
  ...action
}: StaffAction<Data>): Action => ({
  ...action,
  options: { ...actingAs, ...options },
  async run(call) {
    const api = await openClient(call, service);
    const data = await dataOf(send(api, call));
    return { lines: await lines(data, call), data };
  },
});

/** The name of the staff account with an id; the id where there is none. */
export type NameOf = (staffId: string) => string;

/** Reads the names of the staff accounts. */
export async function staffNames({ reach }: ActionCall): Promise<NameOf> {
  const { staff } = await reach('auth').peer.listStaff({});
  const names = new Map(staff.map(({ staff_id, username }) => [staff_id, username]));
  return (staffId) => names.get(staffId) ?? staffId;
}
