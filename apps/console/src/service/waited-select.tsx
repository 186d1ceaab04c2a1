import { NativeSelect } from '@mantine/core';
import { useFormats } from '../layout/formats.ts';
import { useTexts } from '../texts/texts.ts';
import { waitedChoices, waitedIn, type WaitedFilter } from './waited-filter.ts';

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
        ...waitedChoices.map((one) => ({
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
