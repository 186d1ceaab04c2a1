import { Badge, createTheme, MantineProvider, type CSSVariablesResolver } from '@mantine/core';
import type { ReactNode } from 'react';

declare global {
  // Read by a dependency of the component library for the style elements that it inserts.
  var __webpack_nonce__: string | undefined;
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
globalThis.__webpack_nonce__ = nonce;

/** Contrast of texts is at least 4.5 in both color schemes. */
const theme = createTheme({
  primaryColor: 'violet',
  primaryShade: 7,
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    // A finding may be longer than a phone is wide.
    Badge: Badge.extend({ styles: { root: { height: 'auto' }, label: { whiteSpace: 'normal' } } }),
  },
});

const secondary = (color: string) => ({
  '--mantine-color-dimmed': color,
  '--mantine-color-placeholder': color,
});

const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: secondary(colors.gray[7]),
  dark: secondary(colors.dark[1]),
});

/** Colors and sizes; light or dark as the browser says, or as the person chose. */
export const Theme = ({ children }: { readonly children: ReactNode }) => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    cssVariablesResolver={cssVariables}
    getStyleNonce={() => nonce}
  >
    {children}
  </MantineProvider>
);
