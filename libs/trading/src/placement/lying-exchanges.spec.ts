import { orderContracts } from '#exchange/testing';
import { LyingExchange, type OrderAnswer } from '../testing/lying-exchange.js';

const CALLS = 3;
/** Less than the time that Causeway allows every exchange. */
const LAG_MS = 3_000;
const exchanges = Object.keys(orderContracts);

/** The documented refusals of orders, and answers of the network. Each follows an order that was executed. */
function liesOf(exchange: string): [string, OrderAnswer][] {
  const refusals = (orderContracts[exchange]?.refusals ?? []).filter(({ of }) => of !== undefined);
  return [
    ...refusals.map(({ name, reply }): [string, OrderAnswer] => [name, reply]),
    ['502 of a gateway', { status: 502, body: '<html>502</html>' }],
    ['a bare 429', { status: 429, body: '' }],
    ['a broken connection', 'broken connection'],
  ];
}

describe.each(exchanges)('an order that %s executes and answers wrongly', (exchange) => {
  it.each(liesOf(exchange))(
    'is one order for all calls with its key, and no call reports it as refused: %s',
    async (_name, answer) => {
      await LyingExchange.run({ exchange, lagMs: LAG_MS }, async (lying) => {
        lying.answer(answer, { isExecuted: true });
        for (let calls = 0; calls < CALLS; calls++) {
          const result = await lying.place();
          expect(result).toMatchObject({ state: expect.stringMatching(/^(open|closed|unknown)$/) as string });
        }
        expect(lying.book).toHaveLength(1);
        expect(lying.rows.map(({ state }) => state)).not.toContain('refused');
      });
    },
  );
});
