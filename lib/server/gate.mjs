// `npm run gate`: ends with 1 where an experiment is worse than its baseline by more than noise, and with 2 where that can't be told.
// Plain JavaScript that old versions of Node can read, and all that goes wrong ends with 2: only a regression may look like one.
const CANNOT_TELL = 2;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `The gate needs Node 22.18 or newer, but this is Node ${process.versions.node}. \`npm ci\` installs Node 24 for npm scripts. Use \`npm run gate\`.`,
  );
  process.exitCode = CANNOT_TELL;
} else {
  try {
    const { runGate } = await import('#lib/gate/run-gate.ts');
    const { exitCode, text } = await runGate(process.argv.slice(2), process.env);
    process.stdout.write(`${text}\n`);
    process.exitCode = exitCode;
  } catch (error) {
    console.error(error);
    process.exitCode = CANNOT_TELL;
  }
}
