/** An update that sets what has a value and removes what has none. */
export const setOrUnset = (values: Readonly<Record<string, unknown>>) => {
  const all = Object.entries(values);
  const none = all.flatMap(([name, value]) => (value === undefined ? [[name, 1] as const] : []));
  return {
    $set: Object.fromEntries(all.filter(([, value]) => value !== undefined)),
    ...(none.length && { $unset: Object.fromEntries(none) }),
  };
};
