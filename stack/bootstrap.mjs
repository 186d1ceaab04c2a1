// Entry point of `npm start` and `npm test`. It runs on any Node.js, before dependencies are installed; code that needs
// Node.js 20 is behind the import.
const [major] = process.versions.node.split('.');

if (Number(major) < 20) {
  process.stderr.write(
    `Covalence needs Node.js 20 or later, and this is ${process.versions.node}. Install a newer one from nodejs.org.\n`,
  );
  process.exit(1);
}

import('./prepare.mjs')
  .then(({ prepareAndRun }) => prepareAndRun(process.argv.slice(2)))
  .catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
