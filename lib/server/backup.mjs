// `npm run backup`. Plain JavaScript that old versions of Node can read, so that they can say which version is needed.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This needs Node 22.18 or newer, but this is Node ${process.versions.node}. \`npm ci\` installs Node 24 for npm scripts. Use \`npm run backup\`.`,
  );
  process.exitCode = 1;
} else {
  const { backup } = await import('./backup.ts');
  await backup(process.argv.slice(2));
}
