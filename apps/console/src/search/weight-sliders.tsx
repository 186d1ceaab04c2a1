import { SimpleGrid, Slider, Stack, Text } from '@mantine/core';
import { Details } from '../layout/details.tsx';
import { useTexts } from '../texts/texts.ts';
import { rankingUnder, type SettingsDraft } from './settings-draft.ts';
import { isRanking } from './settings-shape.ts';
import { colorOf, equalsOf, rankingOf, shortName, weightIn, type Weights } from './weights.ts';

/** The end of a slider; larger weights are for files. */
const mostWeight = 20;

/** The draft whose weights are changed, and the site whose weights are shown. */
interface Changes {
  readonly draft: SettingsDraft;
  readonly siteid: string;
  readonly onChange: (weights: Weights) => void;
}

/** A slider for each of some weights. */
function Sliders({
  inForce,
  least,
  draft,
  siteid,
  onChange,
}: Changes & { readonly inForce: Weights; readonly least: number }) {
  const { text } = useTexts();
  const { change, weights } = draft;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 1 }} verticalSpacing="xs">
      {Object.entries(inForce).map(([name, before], at) => {
        const otherwise = (change.relevance && weightIn(change.relevance, name, siteid)) ?? before;
        const value = weights[name] ?? otherwise;
        return (
          <div key={name}>
            <Text size="sm">
              {text('search.weightOf', { name: shortName(name), value, inForce: before })}
            </Text>
            <Slider
              thumbLabel={text('search.weight', { name })}
              min={least}
              max={Math.max(mostWeight, before, otherwise)}
              value={value}
              onChange={(next) => {
                const { [name]: _former, ...others } = weights;
                onChange(next === otherwise ? others : { ...others, [name]: next });
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
export function WeightSliders({ criteria, ...changes }: Changes & { readonly criteria: Weights }) {
  const { text } = useTexts();
  if (!isRanking(rankingUnder(changes.draft))) return <Text>{text('search.otherShape')}</Text>;
  const equals = equalsOf(rankingOf(changes.draft.base), changes.siteid);
  return (
    <Stack>
      {Object.keys(criteria).length ? (
        <Sliders inForce={criteria} least={1} {...changes} />
      ) : (
        <Text>{text('search.noWeights')}</Text>
      )}
      <Details summary={text('search.equals')}>
        <Sliders inForce={equals} least={0} {...changes} />
      </Details>
    </Stack>
  );
}
