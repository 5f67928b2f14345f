import { Amount } from '#money';
import type { OrderInstruction, PreparedOrder, TradingCapability } from '../../port/trading.port.js';
import { inTrading, type Mutation } from './mutations.js';

/** A deliberate fault in the terms of orders, which a connector of any exchange can have. */
export interface OrderMutant {
  readonly name: string;
  /** The type of order that has the fault. */
  readonly of: 'market' | 'limit';
  readonly caughtBy: 'EX-19' | 'EX-39';
  readonly mutate: Mutation;
}

/** Changes the orders that a connector sends. */
function inInstruction(change: (order: OrderInstruction) => Partial<OrderInstruction>): Mutation {
  return inTrading((trading) => ({
    prepare: (order): PreparedOrder => trading.prepare({ ...order, ...change(order) }),
  }));
}

const other = (side: string): 'buy' | 'sell' => (side.toLowerCase() === 'buy' ? 'sell' : 'buy');

/** Changes the side of the orders that a connector finds or reads. */
function inFoundSide(trading: TradingCapability): Partial<TradingCapability> {
  const sold = <T extends { description: { side: string } } | null>(order: T): T =>
    order === null ? order : { ...order, description: { ...order.description, side: other(order.description.side) } };
  return {
    find: async (sought) => sold(await trading.find(sought)),
    read: async (taken) => sold(await trading.read(taken)),
  };
}

/** The faults, each as a mutant of every connector with orders. */
export const orderMutants: readonly OrderMutant[] = [
  ...(['buy', 'sell'] as const).flatMap((meant) =>
    (['limit', 'market'] as const).map((of): OrderMutant => ({
      name: `${meant === 'buy' ? 'sells instead of buying' : 'buys instead of selling'} (${of})`,
      of,
      caughtBy: 'EX-19',
      mutate: inInstruction(({ side, type }) => (side === meant && type === of ? { side: other(side) } : {})),
    })),
  ),
  {
    name: 'exchanges volume and price',
    of: 'limit',
    caughtBy: 'EX-19',
    mutate: inInstruction(({ volume, price }) => (price === null ? {} : { volume: price, price: volume })),
  },
  {
    name: 'sends the cost as the volume',
    of: 'limit',
    caughtBy: 'EX-19',
    mutate: inInstruction(({ volume, price }) => (price === null ? {} : { volume: volume.times(price) })),
  },
  {
    name: 'sends orders to buy with half the volume',
    of: 'limit',
    caughtBy: 'EX-19',
    mutate: inInstruction(({ side, volume }) => (side === 'buy' ? { volume: volume.times(Amount.of('0.5')) } : {})),
  },
  {
    name: 'sends limit orders to sell as market orders',
    of: 'limit',
    caughtBy: 'EX-19',
    mutate: inInstruction(({ side, type }) =>
      side === 'sell' && type === 'limit' ? { type: 'market', price: null } : {},
    ),
  },
  {
    name: 'sends orders for another pair',
    of: 'limit',
    caughtBy: 'EX-19',
    mutate: inInstruction(({ exchangeSymbol }) => ({ exchangeSymbol: [...exchangeSymbol].reverse().join('') })),
  },
  { name: 'reports the other side', of: 'limit', caughtBy: 'EX-39', mutate: inTrading(inFoundSide) },
];
