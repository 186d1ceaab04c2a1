import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { usePerson } from '../session/person.ts';
import { holds } from '../session/roles.ts';
import { Busy } from './busy.tsx';
import classes from './layout.module.css';
import { menu } from './menu.ts';
import { UserMenu } from './user-menu.tsx';
import { useTexts } from '../texts/texts.ts';

const headerHeight = 56;
const navbarWidth = 240;

/** The frame of every page: header, menu and content. */
export function Layout() {
  const { roles, signOut } = usePerson();
  const { text } = useTexts();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <AppShell
      header={{ height: headerHeight }}
      navbar={{ width: navbarWidth, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className={classes.skip} href="#content">
        {text('layout.skip')}
      </a>
      <AppShell.Header>
        <Busy />
        <Group h="100%" px="md" justify="space-between">
          <Group>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={text('layout.menu')}
              aria-expanded={isOpen}
            />
            <Text fw={700}>{text('console')}</Text>
          </Group>
          <UserMenu roles={roles} signOut={signOut} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={text('layout.menu')}>
        {menu.map(({ section, entries }) => {
          const allowed = entries.filter((entry) => holds(roles, entry.roles));
          return (
            allowed.length > 0 && (
              <section key={section} aria-labelledby={section}>
                <Text id={section} size="sm" fw={600} px="xs" py={4}>
                  {text(section)}
                </Text>
                {allowed.map(({ to, label }) => (
                  <NavLink
                    key={to}
                    className={classes.entry}
                    component={Link}
                    to={to}
                    label={text(label)}
                    variant="filled"
                    active={path === to}
                    aria-current={path === to ? 'page' : undefined}
                    onClick={close}
                  />
                ))}
              </section>
            )
          );
        })}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
