import type { ExchangeOrder, TradingCapability } from '../../port/trading.port.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type { DocumentedRefusal, OrdersContract, SampleOrder } from './exchange-contract.js';
import type { Rule } from './rule.js';

function ordersOf({ contract }: Subject): OrdersContract {
  if (contract.orders === undefined) throw new Error('the contract has no orders');
  return contract.orders;
}

/** Whether our error map calls the refusal of an order definite. A pause also stops the searches, which would wait. */
function isDefinite({ of, grade, isDefinite: stated = grade === 'refused' }: DocumentedRefusal): boolean {
  return of !== undefined && stated && grade !== 'pause';
}

/** A refused order, and the search for it while the exchange has certain orders. */
interface RefusedOrder {
  readonly trading: TradingCapability;
  readonly findAmong: (orders: readonly SampleOrder[]) => Promise<ExchangeOrder | null>;
  readonly order: SampleOrder;
}

/** Places an order that the exchange answers with the refusal. */
function refuse(
  subject: Subject,
  { reply }: DocumentedRefusal,
  check: (refused: RefusedOrder) => Promise<void>,
): Promise<void> {
  return ContractBench.run(subject, async ({ open, stub }) => {
    const contract = ordersOf(subject);
    const { trading } = await open();
    if (trading === undefined) throw new Error('the session has no trading');
    const clientOrderId = trading.newClientOrderId('ours');
    const now = Date.now();
    const terms = { ...contract.instruction, clientOrderId, submissionDeadline: new Date(now + 30_000) };
    const prepared = trading.prepare(terms);
    stub.answer({ [contract.route]: reply });
    const outcome = await trading.place(prepared, { beforeSend: () => undefined });
    expect(outcome.kind).toBe('rejected');
    const order: SampleOrder = {
      exchangeId: contract.exchangeIds[0] ?? '',
      clientOrderId,
      at: new Date(now),
      side: 'buy',
      state: 'filled',
      volume: '2.5',
      executed: '2.5',
      averagePrice: '2',
      limitPrice: '2.15',
      fee: '0.003',
      feeAsset: contract.feeAsset,
    };
    await check({
      trading,
      order,
      findAmong: (orders) => {
        stub.answer(contract.listing(orders));
        return trading.find({ clientOrderId, request: prepared.request, notBefore: new Date(now - 60_000) });
      },
    });
  });
}

/** Matches an order with these members. In contrast to `toMatchObject`, `null` is an ordinary mismatch. */
const seen = (members: Partial<ExchangeOrder>): unknown => expect.objectContaining(members) as unknown;

const executed: Rule = {
  id: 'EX-54',
  title: 'an order that the exchange has all the same is found by our id after every definite refusal, and no other is',
  needs: ['trading'],
  checks: (subject) =>
    subject.contract.refusals.filter(isDefinite).map((refusal) => ({
      name: refusal.name,
      run: () =>
        refuse(subject, refusal, async ({ order, findAmong }) => {
          const { exchangeId, clientOrderId } = order;
          expect(await findAmong([order])).toEqual(seen({ exchangeId, clientOrderId, status: 'filled' }));
          const open: SampleOrder = { ...order, state: 'open', executed: '0', fee: '0' };
          expect(await findAmong([open])).toEqual(seen({ exchangeId, clientOrderId, status: 'open' }));
          expect(await findAmong([])).toBeNull();
        }),
    })),
};

const expires: Rule = {
  id: 'EX-55',
  title: 'a request to place an order expires after the documented time, so that its absence can be proven',
  needs: ['trading'],
  checks: (subject) => {
    const { route, instruction, signedForMs, windowOf } = ordersOf(subject);
    return [
      {
        name:
          signedForMs === null ? 'by its submission deadline' : `${signedForMs / 1_000} seconds after its signature`,
        run: () =>
          ContractBench.run(subject, async ({ open, stub }) => {
            const { trading } = await open();
            if (trading === undefined) throw new Error('the session has no trading');
            expect(trading.signedForMs).toBe(signedForMs);
            const submissionDeadline = new Date(Date.now() + 30_000);
            const clientOrderId = trading.newClientOrderId();
            const prepared = trading.prepare({ ...instruction, clientOrderId, submissionDeadline });
            if (signedForMs === null) expect(prepared.submissionDeadline).not.toBeNull();
            await trading.place(prepared, { beforeSend: () => undefined });
            const [call] = stub.calls(route);
            if (call === undefined) throw new Error('nothing was sent');
            if (windowOf !== undefined) expect(windowOf(call)).toBeLessThanOrEqual(signedForMs ?? 0);
          }),
      },
    ];
  },
};

export const orderRefusalRules: readonly Rule[] = [executed, expires];
