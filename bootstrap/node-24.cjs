// Older versions of Node fail at the first TypeScript file, with an error that does not say why.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `The service needs Node 24 or later, and this is Node ${process.versions.node}: install Node 24, or run npm ci without --omit=dev, which brings one.\n`,
  );
  process.exit(1);
}
