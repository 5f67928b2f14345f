import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import type { ExchangeDeclaration } from '../../declaration/exchange-declaration.js';
import type { ExchangeContract } from './exchange-contract.js';

/** An exchange under test: its real connector, and what its documentation says. */
export interface Subject {
  readonly declaration: ExchangeDeclaration;
  readonly contract: ExchangeContract;
}

/** A connector with one of its contracts, and the name of the contract's file. */
export type NamedSubject = Subject & { readonly name: string };

const folder = path.join(import.meta.dirname, '../../exchanges');

/**
 * The connectors of all exchanges, each with its contracts: the exports of the files `…-contract.ts` in the folders of
 * the exchanges. An exchange with two APIs has two contracts. A file `…-only.ts` beside a contract exports the
 * connector that uses only the API of this contract.
 */
export async function contractSubjects(declarations: readonly ExchangeDeclaration[]): Promise<NamedSubject[]> {
  const found = declarations.map(async (declaration) => {
    const { id } = declaration.spec;
    const files = readdirSync(path.join(folder, id), { recursive: true, encoding: 'utf8' });
    const contracts = files.filter((file) => file.endsWith('-contract.js'));
    return Promise.all(
      contracts.map(async (file): Promise<NamedSubject[]> => {
        const contract = await exportOf<ExchangeContract>(path.join(folder, id, file), 'Contract');
        const only = file.replace('-contract.js', '-only.js');
        const own = files.includes(only)
          ? await exportOf<ExchangeDeclaration>(path.join(folder, id, only), 'Only')
          : declaration;
        const name = path.basename(file, '-contract.js');
        return contract === null || own === null ? [] : [{ name, declaration: own, contract }];
      }),
    );
  });
  return (await Promise.all(found)).flat(2);
}

/** The export whose name ends in `end`; null = the file has none. */
async function exportOf<T>(file: string, end: string): Promise<T | null> {
  const exported = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const name = Object.keys(exported).find((key) => key.endsWith(end));
  return name === undefined ? null : (exported[name] as T);
}
