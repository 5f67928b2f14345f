import type { z } from 'zod';
import type { Amount } from '#money';
import type { Endpoint, ExchangeClient } from '../client/exchange-client.js';
import type { AccountChange } from '../port/paying-account.js';
import { allPages } from './cursor-pages.js';
import { valueOf, valueOr, type Field } from './entry-fields.js';
import { amount, codeText, epochTime, optionalText } from './response-fields.js';

/** The places of the values of an entry. */
export interface ChangeForm {
  readonly id: Field<string>;
  readonly kind: z.ZodType<AccountChange['kind']>;
  readonly change: Field<Amount>;
  readonly after: Field<Amount>;
  /** The name of a field of an epoch time, or a schema. */
  readonly at: Field<Date>;
  readonly clientRef?: Field<string | null>;
}

/** Returns a reader of an entry. It throws when the entry is unreadable, because a list of changes must be complete. */
export function changeReader(form: ChangeForm): (entry: unknown) => AccountChange {
  const [idOf, changeOf, afterOf] = [
    valueOf(form.id, codeText),
    valueOf(form.change, amount),
    valueOf(form.after, amount),
  ];
  const [atOf, clientRefOf] = [valueOf(form.at, epochTime), valueOr(form.clientRef, optionalText, null)];
  return (entry) => ({
    id: idOf(entry),
    kind: form.kind.parse(entry),
    clientRef: clientRefOf(entry),
    change: changeOf(entry),
    after: afterOf(entry),
    at: atOf(entry),
  });
}

/** A list of the changes of one asset in one account, newest first, whose pages end before a moment. */
export interface ChangeList {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly pageSize: number;
  /** The parameter that requests the entries before a moment, in epoch milliseconds. */
  readonly before: string;
  readonly entriesOf: (body: unknown) => unknown[];
  readonly read: (entry: unknown) => AccountChange;
}

/** Reads the changes since a moment and at least one older change. @throws ExchangeError when the list is incomplete */
export async function readChanges(client: ExchangeClient, list: ChangeList, since: Date): Promise<AccountChange[]> {
  const { endpoint, params, pageSize, before, entriesOf, read } = list;
  const entries = await allPages(client.exchange, (cursor) =>
    client.call(endpoint, { ...params, ...(cursor !== null && { [before]: cursor }) }, (body) => {
      const changes = entriesOf(body).map(read);
      const oldest = changes.at(-1);
      const isLast = oldest === undefined || changes.length < pageSize || oldest.at < since;
      // The next page begins with the last moment of this one, because a page may end between two equal times.
      return { entries: changes, nextCursor: isLast ? null : String(oldest.at.getTime() + 1) };
    }),
  );
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
