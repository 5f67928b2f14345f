import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import type { PairSource } from '../../declaration/pair-source.js';
import type { DollarPairs, TickerSource } from '../../declaration/ticker-source.js';
import { dollarPrices } from '../../registry/dollar-prices.js';
import { readPairs } from '../../registry/read-pairs.js';
import { parseExactly } from '../../transport/exact-json.js';
import { documentedLists, documentedPrices } from '../ticker-documentation.js';
import type { Subject } from './contract-subjects.js';
import { documentedPairs, type DocumentedPair } from './documented-pairs.js';
import type { Check, Rule } from './rule.js';

type PriceLists = Readonly<Record<string, unknown>>;

/** The recorded response with the pairs of an exchange. The file names its source. */
export function recordedPairs(id: string): unknown {
  const file = path.join(projectRoot, 'libs/exchange/src/exchanges', id, `${id}-pairs.fixture.json`);
  return (parseExactly(readFileSync(file, 'utf8')) as { answer: unknown }).answer;
}

/** Reads only these entries. */
const readEntries = (source: PairSource, entries: unknown[]) => readPairs({ ...source, list: () => entries }, null);

const check = (name: string, run: () => void): Check => ({ name, run: () => Promise.resolve().then(run) });

function pairChecks(source: PairSource, { counts, entry, expected, changes }: DocumentedPair): Check[] {
  return [
    check('the recorded list', () => {
      const answer = recordedPairs(source.id);
      const { pairs, unreadable } = readPairs(source, answer);
      expect([source.list(answer).length, pairs.length, unreadable]).toEqual([...counts, 0]);
    }),
    check('a documented pair', () =>
      expect(readEntries(source, [entry])).toEqual({ pairs: [expected], unreadable: 0 }),
    ),
    ...changes.map(([change, becomes]) =>
      check(`a documented pair with ${JSON.stringify(change)}`, () => {
        const { pairs, unreadable } = readEntries(source, [{ ...entry, ...change }]);
        expect(unreadable).toBe(0);
        expect(pairs[0] ?? null).toEqual(becomes === null ? null : { ...pairs[0], ...becomes });
      }),
    ),
  ];
}

/** An exchange that exists only in the sandbox has no documentation. */
const isReal = ({ declaration: { liveUrl } }: Subject): boolean => liveUrl !== undefined;

const notDeclared = (list: unknown): Check[] => [check('there is no such list', () => expect(list).toBeUndefined())];

const pairs: Rule = {
  id: 'EX-70',
  title: 'each field of a documented pair is read as the documentation describes it',
  checks: (subject) => {
    const { spec, pairs: source } = subject.declaration;
    if (!isReal(subject) || source === undefined) return notDeclared(isReal(subject) ? source : undefined);
    const documented = documentedPairs[spec.id];
    if (documented === undefined) throw new Error(`documented-pairs.ts has no ${spec.id}`);
    return pairChecks(source, documented);
  },
};

/** The prices that a source reads from its lists. */
export function pricesIn(
  { codeOf, path: route, pairs: listed, read }: TickerSource,
  lists: PriceLists,
): Record<string, string> {
  const known: DollarPairs = listed === undefined ? new Map() : listed.read(lists[listed.path], codeOf);
  const prices = dollarPrices(read(lists[route.split('?')[0] ?? ''], known), codeOf);
  return Object.fromEntries([...prices].map(([symbol, price]) => [symbol, price.toString()]));
}

const prices: Rule = {
  id: 'EX-71',
  title: 'the documented list of prices gives exactly the prices in dollars',
  checks: (subject) => {
    const { spec, tickers: source } = subject.declaration;
    if (!isReal(subject) || source === undefined) return notDeclared(isReal(subject) ? source : undefined);
    const lists: PriceLists | undefined = (documentedLists as Readonly<Record<string, PriceLists>>)[spec.id];
    if (lists === undefined) throw new Error(`ticker-documentation.ts has no ${spec.id}`);
    return [check('the documented list', () => expect(pricesIn(source, lists)).toEqual(documentedPrices[spec.id]))];
  },
};

export const publicListRules: readonly Rule[] = [pairs, prices];
