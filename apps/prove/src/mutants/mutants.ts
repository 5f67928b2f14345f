import { inPostgres } from './in-postgres.js';
import { inTests } from './in-tests.js';
import type { Mutant } from './mutant.js';
import { ofOrders } from './of-orders.js';
import { onTheWire } from './on-the-wire.js';
import { sending } from './sending.js';
import { settling } from './settling.js';

export const mutants: readonly Mutant[] = [
  ...sending,
  ...settling,
  ...ofOrders,
  ...inPostgres,
  ...onTheWire,
  ...inTests,
];
