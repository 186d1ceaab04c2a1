import { AppShell, Burger, Group, NavLink, Progress, Text } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { usePerson } from '../session/person.ts';
import { useRef } from 'react';
import classes from './layout.module.css';
import { mayOpen, menu, type MenuEntry } from './menu.ts';
import { UserMenu } from './user-menu.tsx';
import { useTexts } from '../texts/texts.ts';

const headerHeight = 56;
const navbarWidth = 240;

/** Screens on which the menu opens over the content: below the breakpoint `sm`. */
const narrow = '(max-width: 47.99em)';

/** Milliseconds after which a wait is shown. */
const shownAfterMs = 300;

/** A bar at the top of the page while calls are pending. */
function Busy() {
  const { text } = useTexts();
  const isBusy = useIsFetching() + useIsMutating() > 0;
  const [wasBusy] = useDebouncedValue(isBusy, shownAfterMs);
  if (!isBusy || !wasBusy) return null;
  return (
    <Progress className={classes.busy} value={100} size="xs" animated aria-label={text('layout.busy')} />
  );
}

/** Whether a page, or one below it, is open. The pages of members belong to their search. */
const isAt = (to: string, path: string) =>
  `${path.replace('/service/members/', '/service/find/')}/`.startsWith(`${to}/`);

/** The frame of every page: header, menu and content. */
export function Layout() {
  const person = usePerson();
  const { text } = useTexts();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const isNarrow = useMediaQuery(narrow);
  const burger = useRef<HTMLButtonElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <AppShell
      header={{ height: headerHeight }}
      navbar={{ width: navbarWidth, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isNarrow || !isOpen) return;
        close();
        burger.current?.focus();
      }}
    >
      <a className={classes.skip} href="#content">
        {text('layout.skip')}
      </a>
      <AppShell.Header>
        <Busy />
        <Group h="100%" px="md" justify="space-between">
          <Group>
            <Burger
              ref={burger}
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={text('layout.menu')}
              aria-expanded={isOpen}
            />
            <Text fw={700}>{text('console')}</Text>
          </Group>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        className={classes.menu}
        aria-label={text('layout.menu')}
        // Closed it is only moved off the screen; open it covers the content.
        inert={isNarrow && !isOpen}
      >
        {menu.map(({ section, entries }) => {
          const allowed = (entries as readonly MenuEntry[]).filter((entry) => mayOpen(entry, person));
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
                    active={isAt(to, path)}
                    aria-current={path === to ? 'page' : undefined}
                    onClick={close}
                  />
                ))}
              </section>
            )
          );
        })}
      </AppShell.Navbar>
      <AppShell.Main id="content" className={classes.content} tabIndex={-1} inert={isNarrow && isOpen}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
