import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Amount, INPUT_AMOUNT_PATTERN } from '#money';
import type { Exchange } from '../exchange.js';
import { ControlError } from '../control/control-error.js';
import { movePrice } from './trading-fill.js';
import { knownPair } from './trading-market.js';

const priceInput = z.strictObject({
  /** Any of the pair's names. */
  pair: z.string().min(1).max(20),
  price: z.string().regex(INPUT_AMOUNT_PATTERN),
});

/** Moves the market: the last price of a pair, which waiting orders that it reaches trade at. */
export function priceRoutes(app: FastifyInstance, { exchange, now }: { exchange: Exchange; now: () => Date }): void {
  app.post('/control/prices', ({ body }) => {
    const input = priceInput.parse(body);
    const pair = knownPair(input.pair);
    const price = Amount.of(input.price);
    const tick = Amount.of(pair.info.tick_size);
    if (!price.isPositive() || !price.isMultipleOf(tick)) {
      throw new ControlError(422, `a price of ${pair.info.wsname} is a positive multiple of ${pair.info.tick_size}`);
    }
    return { pair: pair.id, price, filled: movePrice(exchange, pair, price, now()) };
  });
}
