import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const EXCHANGES = 'libs/exchange/src/exchanges';
const REGISTRY = 'libs/exchange/src/registry/exchanges.ts';
const TEMPLATES = 'libs/exchange/src/new-exchange/templates';

/** The template of each created file, and the ending of the file's name: `errors` makes `<id>-errors.ts`. */
const files = {
  declaration: '.ts',
  responses: '-responses.ts',
  errors: '-errors.ts',
  signature: '-signature.ts',
  contract: '-contract.ts',
  'contract-spec': '-contract.spec.ts',
} as const;

/** Public lists of an exchange that may exist before its connector. The new declaration imports them. */
const publicLists = ['pairs', 'tickers'] as const;
type PublicList = (typeof publicLists)[number];

/** The request cannot be carried out; the message says what to do. */
export class CannotCreate extends Error {}

/** Texts of the files of a new exchange, by file name. @param root folder of the project, which has the templates */
export function exchangeFiles(
  root: string,
  id: string,
  name: string,
  lists: readonly PublicList[] = [],
): Readonly<Record<string, string>> {
  const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const exportOf = (list: string): string => `${id}${capital(list)}`;
  const values: Readonly<Record<string, string>> = {
    __id__: id,
    __Id__: capital(id),
    __name__: name,
    '__imports__\n': lists.map((list) => `import { ${exportOf(list)} } from './${id}-${list}.js';\n`).join(''),
    '__lists__\n': lists.map((list) => `  ${list}: ${exportOf(list)},\n`).join(''),
  };
  return Object.fromEntries(
    Object.entries(files).map(([template, ending]) => {
      const text = readFileSync(join(root, TEMPLATES, `${template}.txt`), 'utf8');
      return [
        `${id}${ending}`,
        Object.entries(values).reduce((filled, [mark, value]) => filled.replaceAll(mark, value), text),
      ];
    }),
  );
}

/**
 * Writes the folder of a new exchange and its line in the registry. Returns the paths of the files.
 * @param root the folder of the project
 * @throws CannotCreate before anything is written
 */
export function createExchange(root: string, id: string, name: string): string[] {
  if (!/^[a-z][a-z0-9]{1,30}$/.test(id))
    throw new CannotCreate('the id must have 2 to 31 lower-case letters and digits, and begin with a letter');
  if (!/^[A-Za-z0-9][A-Za-z0-9 .]{0,40}$/.test(name))
    throw new CannotCreate(
      'the name must have 1 to 41 letters, digits, spaces and dots, and begin with a letter or digit',
    );
  const folder = join(root, EXCHANGES, id);
  if (existsSync(join(folder, `${id}-contract.ts`))) throw new CannotCreate(`${EXCHANGES}/${id} exists already`);
  const registry = withExchange(readFileSync(join(root, REGISTRY), 'utf8'), id);
  const lists = publicLists.filter((list) => existsSync(join(folder, `${id}-${list}.ts`)));
  const created = Object.entries(exchangeFiles(root, id, name, lists));
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of created) writeFileSync(join(folder, file), text);
  writeFileSync(join(root, REGISTRY), registry);
  return [...created.map(([file]) => join(EXCHANGES, id, file)), REGISTRY];
}

/**
 * Returns the text of the registry with the import and the entry of the exchange. If the registry imports the exchange
 * already, because of its public lists, the text is returned unchanged.
 */
function withExchange(registry: string, id: string): string {
  if (registry.includes(`/${id}.js'`)) return registry;
  const last = "import { sandbox } from '../exchanges/sandbox/sandbox.js';\n";
  const line = '  sandbox,\n';
  if (!registry.includes(last) || !registry.includes(line))
    throw new CannotCreate(`${REGISTRY} lacks the lines of the sandbox exchange: add the new exchange by hand`);
  return registry
    .replace(last, `import { ${id} } from '../exchanges/${id}/${id}.js';\n${last}`)
    .replace(line, `  ${id},\n${line}`);
}
