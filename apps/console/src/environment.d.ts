/// <reference types="vite/client" />

/** docs/runbooks.md. */
declare const RUNBOOKS: string;
