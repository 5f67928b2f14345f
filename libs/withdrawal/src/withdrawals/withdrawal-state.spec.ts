import { readdirSync, readFileSync } from 'node:fs';
import { projectRoot } from '#platform/testing';
import { canSubmit, isSettled, transactionStatusOf, withdrawalStates, allowedTransitions } from './withdrawal-state.js';

describe('withdrawal states', () => {
  it('are all reachable from created', () => {
    const reached = new Set(['created']);
    for (const state of reached) {
      for (const next of allowedTransitions[state as keyof typeof allowedTransitions]) reached.add(next);
    }
    expect([...reached].sort()).toEqual([...withdrawalStates].sort());
  });

  it('never go back to sending once something may have been sent', () => {
    for (const state of ['unknown', 'review', 'submitted', 'completed', 'failed', 'canceled', 'rejected'] as const) {
      expect(allowedTransitions[state]).not.toContain('submitting');
      expect(allowedTransitions[state]).not.toContain('created');
      expect(canSubmit(state)).toBe(false);
    }
  });

  it('are pending in the history until they are settled', () => {
    for (const state of withdrawalStates) expect(transactionStatusOf(state) === 'pending').toBe(!isSettled(state));
  });

  it('are ok, failed or canceled in the history when they are settled', () => {
    const settled = withdrawalStates.filter(isSettled).map((state) => [state, transactionStatusOf(state)]);
    expect(Object.fromEntries(settled)).toEqual({
      completed: 'ok',
      failed: 'failed',
      canceled: 'canceled',
      rejected: 'failed',
    });
  });

  it('can be submitted before anything was sent, and after the exchange has asked for a verification', () => {
    expect(withdrawalStates.filter(canSubmit)).toEqual(['created', 'verification_required']);
  });

  it('have the same transitions in the database', () => {
    const folder = `${projectRoot}/libs/platform/src/database/migrations`;
    const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((file) => file.endsWith('.ts'));
    const sql = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
    const inserted = sql.flatMap((text) => text.match(/insert into withdrawal_transitions values[^;]+;/g) ?? []);
    const pairs = [...inserted.join('').matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} ${to}`);
    const ours = withdrawalStates.flatMap((from) => allowedTransitions[from].map((to) => `${from} ${to}`));
    expect(pairs.sort()).toEqual(ours.sort());
  });
});
