import { CannotCreate, createExchange } from './new-exchange.js';

const USAGE = 'usage: npm run new:exchange <id> <name>     The id has lower-case letters and digits.';

const [id, name] = process.argv.slice(2);
try {
  if (id === undefined || name === undefined) throw new CannotCreate(USAGE);
  const paths = createExchange(process.cwd(), id, name);
  process.stdout.write(
    [
      ...paths,
      '',
      'Replace each fillIn(…) and FILL_IN; docs/adding-an-exchange.md explains each part. Then:',
      `npm run jest -- libs/exchange/src/exchanges/${id} libs/exchange/src/registry --selectProjects unit`,
      '',
    ].join('\n'),
  );
} catch (error) {
  if (!(error instanceof CannotCreate)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
