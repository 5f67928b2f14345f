import type { DatabaseServer } from './installation/database-server.js';

/** An order as the service has stored it. */
export interface OrderRow {
  id: string;
  /** The Idempotency-Key of its request. */
  key: string;
  state: string;
  /** Whether the exchange showed the order after the service had reported that there is none. */
  isContradicted: boolean;
}

export function readOrderRows(database: DatabaseServer, keys: string[]): Promise<OrderRow[]> {
  return database.query<OrderRow>(
    `select id, idempotency_key as key, state, contradicted_at is not null as "isContradicted"
     from orders where idempotency_key = any($1) order by created_at`,
    [keys],
  );
}

/** Shortens the pause before the next check of each order that is not final. */
export async function shortenOrderPauses(database: DatabaseServer, keys: string[]): Promise<void> {
  await database.query(
    `update orders set next_check_at = now()
     where idempotency_key = any($1) and state in ('unknown', 'open') and next_check_at > now() + interval '300 ms'`,
    [keys],
  );
}

/** Whether every API key may get a nonce now. Without one, an order would not be sent within its lease. */
export async function hasFreeNonces(database: DatabaseServer): Promise<boolean> {
  const held = await database.query<object>(`select 1 from exchange_nonces where exclusive_until > clock_timestamp()`);
  return held.length === 0;
}
