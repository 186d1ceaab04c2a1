/**
 * The first file that `npm start` and `npm test` run: plain JavaScript for whatever Node.js the machine has, with nothing
 * installed yet. Everything that needs a current Node.js is behind the import.
 */
const [major] = process.versions.node.split('.');

if (Number(major) < 20) {
  process.stderr.write(
    `Covalence needs Node.js 20 or later to begin; this is ${process.versions.node}. Install a newer one from nodejs.org.\n`,
  );
  process.exit(1);
}

import('./prepare.mjs')
  .then(({ prepareAndRun }) => prepareAndRun(process.argv.slice(2)))
  .catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
