import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { allowsWithdrawals, methodsOf } from '../catalogue.js';
import type { SandboxServer } from '../server.js';
import { bookOf, knownAsset, name } from './accounts.js';
import { ControlError } from './control-error.js';

/** Maximum number of records in one request; a limit on memory. */
const RECORDS_MAX = 500_000;
/** Assets of a history when the request names none; each supports deposits and withdrawals. */
const ASSETS = ['BTC', 'ETH', 'USDT', 'USDC', 'SOL', 'XRP', 'DOGE', 'LTC'];

const count = z.int().min(0).max(RECORDS_MAX).default(0);
const historyInput = z.strictObject({
  deposits: count,
  withdrawals: count,
  /** Epoch milliseconds. */
  from: z.int().min(0),
  to: z.int().min(0),
  asset: name.optional(),
});

/** Creates many historical records for an account at once. */
export function historyRoutes(app: FastifyInstance, { exchange, now }: SandboxServer): void {
  app.post<{ Params: { id: string } }>('/control/accounts/:id/history', ({ params, body }) => {
    const { account, profile } = bookOf(exchange, params.id);
    const { asset, ...input } = historyInput.parse(body);
    if (input.from > input.to || input.to > now().getTime()) {
      throw new ControlError(422, 'from must not be after to, and to must not be in the future');
    }
    if (input.deposits + input.withdrawals > RECORDS_MAX)
      throw new ControlError(422, `one request adds at most ${RECORDS_MAX} records`);
    const codes = asset === undefined ? ASSETS : [asset];
    exchange.commit({
      history: {
        ...input,
        accountId: account.id,
        seed: randomUUID(),
        isPartner: profile !== null,
        assets: codes.map(movable),
      },
    });
    return { deposits: input.deposits, withdrawals: input.withdrawals };
  });
}

function movable(code: string): string {
  const asset = knownAsset(code);
  if (!allowsWithdrawals(asset) || methodsOf(asset).length === 0)
    throw new ControlError(422, `a history needs an asset with open withdrawals; ${code} has none`);
  return asset.id;
}
