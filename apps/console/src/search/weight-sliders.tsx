import { Button, Group, SimpleGrid, Slider, Stack, Text, Title } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';
import { colorOf, type Weights } from './weights.ts';

/** The end of a slider; larger weights are for files. */
const mostWeight = 20;

/** Changes weights, from those in force. */
interface Changes {
  readonly weights: Weights;
  readonly onChange: (weights: Weights) => void;
}

/** A slider for each of some weights. */
function Sliders({
  inForce,
  least,
  weights,
  onChange,
}: Changes & { readonly inForce: Weights; readonly least: number }) {
  const { text } = useTexts();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {Object.entries(inForce).map(([name, before], at) => {
        const value = weights[name] ?? before;
        return (
          <div key={name}>
            <Text size="sm">{text('search.weightOf', { name, value, inForce: before })}</Text>
            <Slider
              thumbLabel={text('search.weight', { name })}
              min={least}
              max={Math.max(mostWeight, before)}
              value={value}
              onChange={(next) => {
                const { [name]: _former, ...others } = weights;
                onChange(next === before ? others : { ...others, [name]: next });
              }}
              label={null}
              color={colorOf(at)}
            />
          </div>
        );
      })}
    </SimpleGrid>
  );
}

/** A slider for the weight of each criterion, and of each part of the order among equals. */
export function WeightSliders({
  criteria,
  equals,
  ...changes
}: Changes & { readonly criteria: Weights; readonly equals: Weights }) {
  const { text } = useTexts();
  return (
    <Stack>
      {Object.keys(criteria).length ? (
        <Sliders inForce={criteria} least={1} {...changes} />
      ) : (
        <Text>{text('search.noWeights')}</Text>
      )}
      <Title order={3} size="h5">
        {text('search.equals')}
      </Title>
      <Sliders inForce={equals} least={0} {...changes} />
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          disabled={!Object.keys(changes.weights).length}
          onClick={() => changes.onChange({})}
        >
          {text('search.reset')}
        </Button>
      </Group>
    </Stack>
  );
}
