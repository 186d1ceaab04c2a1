import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { usePerson } from '../session/person.ts';
import { languages, useTexts, type Language } from '../texts/texts.ts';

const schemes = ['auto', 'light', 'dark'] as const;

/** The person's own choices: language, colors, sign-out. */
export function UserMenu() {
  const { roles, signOut } = usePerson();
  const { text, language, choose } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="xs">
          {text('layout.account')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text('layout.roles', { roles: [...roles].toSorted().join(', ') || '–' })}</Menu.Label>
        <Menu.Item onClick={() => void signOut()}>{text('layout.signOut')}</Menu.Item>
        <Menu.Divider />
        <Menu.Label>{text('layout.language')}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((one) => (
          <Menu.Item key={one} lang={one} aria-current={one === language} onClick={() => void choose(one)}>
            {languages[one]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{text('layout.colors')}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            aria-current={scheme === colorScheme}
            onClick={() => setColorScheme(scheme)}
          >
            {text(`layout.colors.${scheme}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
