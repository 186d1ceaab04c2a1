import { NativeSelect } from '@mantine/core';
import { useFormats } from '../layout/formats.ts';
import { useTexts } from '../texts/texts.ts';

/** The least waiting times to choose from, in hours. */
const choices = [1, 24, 72] as const;

const secondsOfHour = 3_600;

/** Selects entries that have waited for some time. */
export interface WaitedFilter {
  /** Hours. */
  readonly waited?: (typeof choices)[number] | undefined;
}

/** Reads the query of an address; what is not valid is left out. */
export function waitedIn(given: Readonly<Record<string, unknown>>): WaitedFilter {
  const waited = choices.find((one) => one === given['waited']);
  return waited ? { waited } : {};
}

/** The same as the calls take it. */
export const olderThan = ({ waited }: WaitedFilter) => waited && waited * secondsOfHour;

/** Chooses how long the shown entries have waited at least. */
export function WaitedSelect({
  filter,
  onChange,
}: {
  readonly filter: WaitedFilter;
  readonly onChange: (to: WaitedFilter) => void;
}) {
  const { text } = useTexts();
  const { hours } = useFormats();
  return (
    <NativeSelect
      label={text('service.waited')}
      data={[
        { value: '', label: text('service.site.all') },
        ...choices.map((one) => ({
          value: String(one),
          label: text('service.waited.least', { time: hours(one) }),
        })),
      ]}
      value={filter.waited ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChange({ waited: waitedIn({ waited: Number(value) }).waited })
      }
    />
  );
}
