import { Button, Group, SimpleGrid, Slider, Stack, Text } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';
import { colorOf, type Weights } from './weights.ts';

/** The end of a slider; larger weights are for files. */
const mostWeight = 20;

/** A slider for the weight of each criterion. */
export function WeightSliders({
  criteria,
  weights,
  onChange,
}: {
  readonly criteria: Weights;
  readonly weights: Weights;
  readonly onChange: (weights: Weights) => void;
}) {
  const { text } = useTexts();
  const names = Object.keys(criteria);
  if (!names.length) return <Text>{text('search.noWeights')}</Text>;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {names.map((name, at) => {
          const inForce = criteria[name] ?? 1;
          const value = weights[name] ?? inForce;
          return (
            <div key={name}>
              <Text size="sm">{text('search.weightOf', { name, value, inForce })}</Text>
              <Slider
                thumbLabel={text('search.weight', { name })}
                min={1}
                max={Math.max(mostWeight, inForce)}
                value={value}
                onChange={(next) => {
                  const { [name]: _former, ...others } = weights;
                  onChange(next === inForce ? others : { ...others, [name]: next });
                }}
                label={null}
                color={colorOf(at)}
              />
            </div>
          );
        })}
      </SimpleGrid>
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          disabled={!Object.keys(weights).length}
          onClick={() => onChange({})}
        >
          {text('search.reset')}
        </Button>
      </Group>
    </Stack>
  );
}
