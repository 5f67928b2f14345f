import { exchangeFacts, type ExchangeSpec } from '#exchange';
import { DEMO_EXCHANGE } from './demo-exchange.js';
import { Problem } from './problem.js';

/** The exchanges at which every start connects a wallet, whatever the option names. */
const ALWAYS: readonly string[] = [DEMO_EXCHANGE, 'sandbox'];
const simulated: readonly ExchangeSpec[] = exchangeFacts
  .map(({ spec }) => spec)
  .filter(({ id, hasSandbox }) => hasSandbox && !ALWAYS.includes(id));

/** Reads the option --exchanges: `all`, or ids separated by commas. @throws Problem */
export function readExchanges(option: string): readonly ExchangeSpec[] {
  if (option === 'all') return simulated;
  return option.split(',').map((name) => {
    const spec = simulated.find(({ id }) => id === name.trim());
    if (spec !== undefined) return spec;
    throw new Problem(`--exchanges: use all, or some of ${simulated.map(({ id }) => id).join(', ')}`);
  });
}
