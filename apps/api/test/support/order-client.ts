import { randomUUID } from 'node:crypto';
import type { Input, Output } from '#client';
import type { WalletClients } from './test-app.js';

/**
 * Places an order whose response from the exchange is lost, repeats the request with the same Idempotency-Key, and
 * reads the order.
 */
export async function orderAfterLostAnswer(
  { causeway }: WalletClients,
  order: Input<'placeOrder'>,
): Promise<Output<'getOrder'>> {
  const idempotencyKey = randomUUID();
  const { orderId, status } = await causeway.placeOrder(order, { idempotencyKey });
  expect(status).toBe('unknown');
  expect((await causeway.placeOrder(order, { idempotencyKey })).orderId).toBe(orderId);
  return await causeway.getOrder({ orderId });
}
