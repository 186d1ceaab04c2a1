import {
  Checkbox,
  Fieldset,
  Group,
  JsonInput,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useTexts } from '../texts/texts.ts';
import { readJson, valueOf, withValue, type Criteria } from './criteria-text.ts';

const youngest = 18;
const oldest = 120;

/** Miles that a search may be limited to. */
const distances = [20, 30, 40, 50, 150, 500, 1_000];

/** Fields for the criteria that most searches have. */
function CommonCriteria({
  criteria,
  onChange,
}: {
  readonly criteria: Criteria;
  readonly onChange: (criteria: Criteria) => void;
}) {
  const { text } = useTexts();
  const read = (name: keyof Criteria, key = 'value') => valueOf(criteria, name, key);
  const write =
    (name: keyof Criteria, key = 'value') =>
    (value: string | number) =>
      onChange(withValue(criteria, name, key, value === '' ? undefined : value));
  return (
    <Stack gap="xs">
      <Group grow>
        {(['from', 'to'] as const).map((key) => (
          <NumberInput
            key={key}
            label={text(`search.age.${key}`)}
            value={read('age', key) ?? ''}
            onChange={write('age', key)}
            min={youngest}
            max={oldest}
            allowDecimal={false}
            hideControls
          />
        ))}
      </Group>
      <NativeSelect
        label={text('search.within')}
        data={[
          { value: '', label: text('search.within.any') },
          ...distances.map((miles) => ({
            value: String(miles),
            label: text('search.within.miles', { miles }),
          })),
        ]}
        value={String(read('location', 'within') ?? '')}
        onChange={({ currentTarget: { value } }) =>
          write('location', 'within')(value === '' ? value : Number(value))
        }
      />
      <TextInput
        label={text('search.keywords')}
        value={read('keywords') ?? ''}
        onChange={(event) => write('keywords')(event.currentTarget.value)}
        maxLength={255}
      />
      <Checkbox
        label={text('search.photo')}
        checked={read('photo') === 'true'}
        onChange={(event) => write('photo')(event.currentTarget.checked ? 'true' : '')}
      />
    </Stack>
  );
}

/** Takes the criteria of a search: the common ones by fields, all of them as JSON. */
export function CriteriaInput({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (json: string) => void;
}) {
  const { text } = useTexts();
  const criteria = readJson(value);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Fieldset variant="unstyled" mx={0} disabled={criteria === undefined}>
        <CommonCriteria
          criteria={criteria ?? {}}
          onChange={(next) => onChange(JSON.stringify(next, null, 2))}
        />
      </Fieldset>
      <JsonInput
        label={text('search.criteria')}
        description={text('search.criteriaWhy')}
        validationError={text('search.notJson')}
        value={value}
        onChange={onChange}
        autosize
        minRows={4}
        maxRows={16}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </SimpleGrid>
  );
}
