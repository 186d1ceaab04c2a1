import { failureCodeOf, type WriteMode } from '@covalence/contract/catalogue/check-value';
import { fields } from '@covalence/contract/catalogue/fields';
import { failCodes } from '@covalence/contract/failure-codes';

/** The failure code of each failed parameter, by its name. */
export type FailedParameters = Map<string, number>;

/** Parameters of POST /members beside the fields of the catalogue; the interface lists them after last_name. */
const referral = ['affiliateid', 'subid'];

/** The interface's order of an update; the other fields follow as the catalogue has them. */
const updateFirst = [
  'about_me',
  'deactivated',
  'reason_id',
  'display_name_preference',
  'headline',
  'online',
  'searchable',
  'world_plus',
];

const catalogueOrder = fields.map(({ name }) => name);

const orders: Record<WriteMode, readonly string[]> = {
  register: catalogueOrder.flatMap((name) => (name === 'last_name' ? [name, ...referral] : [name])),
  update: [...updateFirst, ...catalogueOrder.filter((name) => !updateFirst.includes(name))],
};

/** The codes in the order of the operation's parameter table; unknown fields come last. */
export function orderedCodes(failed: FailedParameters, mode: WriteMode): number[] {
  const order = orders[mode];
  const rank = (name: string, code: number) => {
    const place = order.indexOf(name);
    return code === failCodes.unknownField || place === -1 ? order.length : place;
  };
  return [...failed].sort((one, other) => rank(...one) - rank(...other)).map(([, code]) => code);
}

/** The codes of bad values of every field that an operation takes, and further ones, ascending. */
export function fieldCodes(mode: WriteMode, ...further: readonly number[]): number[] {
  const taken = fields.filter(({ only }) => !only || only === mode);
  const codes = new Set([
    ...taken.map((field) => failureCodeOf(field, mode)),
    failCodes.unknownField,
    ...further,
  ]);
  return [...codes].sort((one, other) => one - other);
}
