import { Injectable } from '@nestjs/common';
import type { PreparedOrder, TradingCapability } from '#exchange';

/** Maximum number of credentials that one process remembers. Beyond it, the oldest is forgotten and checked again. */
const REMEMBERED_MAX = 10_000;

/**
 * Requires that the orders of an account can be searched, before the first order with its credentials is sent: an API
 * key may lack the permission to see orders. An order that cannot be found could neither be confirmed nor settled.
 */
@Injectable()
export class RequireSearch {
  private readonly searched = new Set<string>();

  /** @throws ExchangeError when the exchange does not let the key search for orders, or cannot be queried now */
  async execute(
    trading: TradingCapability,
    credentialVersion: string,
    { clientOrderId, request, notBefore }: PreparedOrder & { clientOrderId: string; notBefore: Date },
  ): Promise<void> {
    if (this.searched.has(credentialVersion)) return;
    await trading.find({ clientOrderId, request, notBefore, isProofNeeded: false });
    const [oldest] = this.searched;
    if (this.searched.size >= REMEMBERED_MAX && oldest !== undefined) this.searched.delete(oldest);
    this.searched.add(credentialVersion);
  }
}
