import type { ErrorBody } from './withdrawal-client.js';

export interface PlacedBody extends ErrorBody {
  orderId: string;
  txid: string[];
  exchange: string;
  routeId: string;
  description: string;
  rawResponse: Record<string, unknown>;
  status: string;
}

export interface OrderBody extends ErrorBody {
  orderId: string;
  exchange: string;
  status: string;
  rawStatus: string;
  volume: string;
  executedVolume: string;
  cost: string;
  averagePrice: string;
  fee: string;
  openedAt: number | null;
  closedAt: number | null;
  description: { pair: string; side: string; type: string };
  rawResponse: Record<string, unknown>;
}
