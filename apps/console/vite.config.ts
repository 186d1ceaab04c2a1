import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  // The runbooks of this version, so that whoever is on call need not look for them.
  define: {
    RUNBOOKS: JSON.stringify(readFileSync(new URL('../../docs/runbooks.md', import.meta.url), 'utf8')),
  },
  // The sources of @covalence/client, so that it need not be built before.
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  // The gateway puts a new nonce in its place in each answer.
  html: { cspNonce: 'NONCE_OF_STYLES' },
  build: { target: 'baseline-widely-available', assetsInlineLimit: 0 },
});
