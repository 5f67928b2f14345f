import type { z } from 'zod';
import type { Amount } from '#money';
import type { CcxtClient, Endpoint } from '../ccxt/ccxt-client.js';
import type { AccountMovement } from '../port/exchange.port.js';
import { allPages } from './cursor-pages.js';
import { valueOf, valueOr, type Field } from './entry-fields.js';
import { amount, codeText, milliseconds, name, optionalText, type CodeOf } from './response-fields.js';

/** A movement as the exchange lists it, in one of the owner's accounts. */
export interface ListedMovement extends Omit<AccountMovement, 'reference' | 'after'> {
  /** Our code. */
  readonly asset: string;
  /** Our reference of the withdrawal that caused it; null = not reported. */
  readonly clientRef: string | null;
}

/** The places of the values of an entry. */
export interface MovementForm {
  readonly id: Field<string>;
  readonly asset: Field<string>;
  readonly kind: z.ZodType<AccountMovement['kind']>;
  /** Signed, fee included. */
  readonly change: Field<Amount>;
  /** By its name, a field of epoch milliseconds. */
  readonly at: Field<Date>;
  readonly clientRef?: Field<string | null>;
}

/** Returns a reader of an entry, which throws. */
export function movementReader(form: MovementForm): (entry: unknown, codeOf: CodeOf) => ListedMovement {
  const read = {
    id: valueOf(form.id, codeText),
    asset: valueOf(form.asset, name),
    change: valueOf(form.change, amount),
    at: valueOf(form.at, milliseconds),
    clientRef: valueOr(form.clientRef, optionalText, null),
  };
  return (entry, codeOf) => ({
    ...{ id: read.id(entry), asset: codeOf(read.asset(entry)), kind: form.kind.parse(entry) },
    ...{ change: read.change(entry), at: read.at(entry), clientRef: read.clientRef(entry) },
  });
}

/** A list of all movements of one of the owner's accounts, newest first. */
export interface MovementList {
  readonly endpoint: Endpoint;
  readonly params: (since: Date) => Record<string, string>;
  readonly pageSize: number;
  /** The parameter that requests the next, older page, and its value after the last entry of a page. */
  readonly cursor: { readonly name: string; readonly after: z.ZodType<string> };
  readonly entriesOf: (body: unknown) => unknown[];
  /** @throws when the entry is unreadable: a list of movements must be complete */
  readonly read: (entry: unknown, codeOf: CodeOf) => ListedMovement;
}

/** Reads the movements of all accounts since a moment, newest first. @throws ExchangeError when a list is incomplete */
export async function readMovements(
  client: CcxtClient,
  lists: readonly MovementList[],
  since: Date,
): Promise<ListedMovement[]> {
  const found: ListedMovement[] = [];
  for (const list of lists) {
    const entries = await allPages(client.exchange, (cursor) => pageOf(client, list, since, cursor));
    // A page may repeat entries of the page before it.
    found.push(...new Map(entries.map((entry) => [entry.id, entry])).values());
  }
  return found.filter(({ at }) => at >= since).sort((a, b) => b.at.getTime() - a.at.getTime());
}

function pageOf(client: CcxtClient, list: MovementList, since: Date, cursor: string | null) {
  const { endpoint, params, pageSize, cursor: next, entriesOf, read } = list;
  return client.call(
    endpoint,
    { ...params(since), ...(cursor !== null && { [next.name]: cursor }) },
    (body, codeOf) => {
      const entries = entriesOf(body);
      return {
        entries: entries.map((entry) => read(entry, codeOf)),
        nextCursor: entries.length < pageSize ? null : next.after.parse(entries.at(-1)),
      };
    },
  );
}
