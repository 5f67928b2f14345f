import type { ServerResponse } from 'node:http';
import { resolveAsset } from '../../port/names.js';
import type { ExchangeSession } from '../../port/exchange.port.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { answering } from './contract-stub.js';
import type { Rule } from './rule.js';

/** The names that Kraken shows instead of two names in its responses: see `krakenCode`. */
const SHOWN: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };

/** Our codes of all assets that a session reports. */
async function reportedBy(session: ExchangeSession): Promise<Set<string>> {
  const networks = (await session.withdrawals?.networks()) ?? [];
  const names = await session.assetNames();
  return new Set(
    [...(await session.balances()), ...networks, ...names.map(({ code: asset }) => ({ asset }))].map(
      ({ asset }) => asset,
    ),
  );
}

const closed: Rule = {
  id: 'EX-59',
  title: 'every asset that a session reports is found by its name, and in lower case unless that names another asset',
  checks: (subject) => [
    {
      name: 'in the documented responses',
      run: () =>
        ContractBench.run(subject, async ({ open }) => {
          const session = await open();
          const codes = await reportedBy(session);
          expect(codes.size).toBeGreaterThan(0);
          for (const code of codes) expect(await resolveAsset(session, code)).toMatchObject({ code });
          const names = (await session.assetNames()).map(({ code }) => code);
          const payable = ((await session.withdrawals?.networks()) ?? []).map(({ asset }) => asset);
          expect(names).toEqual(expect.arrayContaining(payable));
          for (const code of names) {
            const { folded } = await resolveAsset(session, code);
            if (folded !== null) expect(await resolveAsset(session, folded)).toMatchObject({ code });
          }
        }),
    },
  ],
};

/** Collects the bodies of all responses. */
function bodiesOf({ contract }: Subject, { stub }: ContractBench): string[] {
  const bodies: string[] = [];
  for (const [route, { answer }] of Object.entries(contract.calls)) {
    stub.on(route, (call, response) => answering(answer)(call, collecting(response, bodies)));
  }
  return bodies;
}

function collecting(response: ServerResponse, bodies: string[]): ServerResponse {
  const end = response.end.bind(response) as (chunk?: unknown) => ServerResponse;
  return Object.assign(response, {
    end: (chunk?: unknown) => {
      bodies.push(String(chunk));
      return end(chunk);
    },
  });
}

const ownNames: Rule = {
  id: 'EX-60',
  title: 'the code of an asset is a name that the exchange itself states, and never one of another table',
  checks: (subject) => [
    {
      name: 'in the documented responses',
      run: () =>
        ContractBench.run(subject, async (bench) => {
          const bodies = bodiesOf(subject, bench);
          const codes = [...(await reportedBy(await bench.open()))];
          const stated = bodies.join('\n').toUpperCase();
          const isStated = (code: string): boolean => {
            const [asset = '', ...form] = code.split('.');
            const names = [code, [SHOWN[asset] ?? asset, ...form].join('.')];
            return names.some((name) => stated.includes(JSON.stringify(name).slice(1, -1).toUpperCase()));
          };
          expect(codes.filter((code) => !isStated(code))).toEqual([]);
        }),
    },
  ],
};

export const nameRules: readonly Rule[] = [closed, ownNames];
