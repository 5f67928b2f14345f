import { ExchangeError, type ExchangeSession } from '#exchange';
import type { Config } from '#platform/config';
import type { Vault } from '#platform/crypto';
import type { Database } from '#platform/database';
import type { Logger } from '#platform/logging';
import { WalletSessions } from '#wallet';
import type { WithdrawalPorts } from '#withdrawal/testing';
import { SimulatedSession, type SessionParts } from '../exchange/session.js';
import type { Feature } from '../scenario/features.js';
import type { DatabaseOnly } from '../store/simulated-store.js';
import type { Process, SimulatedClock } from './process.js';

export interface ProcessParts {
  process: Process;
  clock: SimulatedClock;
  ports: WithdrawalPorts;
  session: Omit<SessionParts, 'key'>;
  config: Config;
  vault: Vault;
  logger: Logger;
  features: readonly Feature[];
  /** The parts that need PostgreSQL; null = in memory. */
  more: { ports: DatabaseOnly; real: Database } | null;
}

/** The comparison with refused withdrawals; undefined = no refusal of the run can be disproved. */
export function refusalsIn({ features, more }: ProcessParts): DatabaseOnly['refusals'] | undefined {
  return features.includes('disproved_refusal') ? more?.ports.refusals : undefined;
}

type SessionsParameters = ConstructorParameters<typeof WalletSessions>;
type WalletTarget = Awaited<ReturnType<SessionsParameters[0]['target']>>;

/** Returns the sessions with which one process calls the exchange. */
export function sessionsIn({ ports, session: parts, logger }: ProcessParts): WalletSessions {
  return walletSessions(ports.credentials, (key) => new SimulatedSession({ ...parts, key }), logger);
}

/**
 * Returns sessions of wallets that open a simulated session for each API key.
 * @param newSession is called once for each key.
 */
export function walletSessions(
  credentials: Pick<SessionsParameters[0], 'target' | 'targetOfVersion'>,
  newSession: (key: string) => ExchangeSession,
  logger: Logger,
): WalletSessions {
  const opened = new Map<string, ExchangeSession>();
  const open = ({ credentials: { apiKey } }: WalletTarget): Promise<ExchangeSession> => {
    const key = apiKey.reveal();
    const session = opened.get(key) ?? newSession(key);
    opened.set(key, session);
    return Promise.resolve(session);
  };
  const exchanges = { open } as Pick<SessionsParameters[1], 'open'>;
  // Calls the exchange again to find out whether it really refuses the key. The simulation neither flags nor deletes
  // invalid wallets.
  const judgeRefusal: Pick<SessionsParameters[2], 'execute'> = {
    execute: async (target) => {
      try {
        return { isRefused: false, keyInfo: await (await open(target)).keyInfo() };
      } catch (error) {
        if (!(error instanceof ExchangeError) || error.kind !== 'credentials_invalid') throw error;
        return { isRefused: true, walletDeleted: false, deletionAt: null };
      }
    },
  };
  const grants: Pick<SessionsParameters[3], 'fresh'> = { fresh: (target) => Promise.resolve(target) };
  const refusals: Pick<SessionsParameters[4], 'endSeries'> = { endSeries: () => Promise.resolve() };
  return new WalletSessions(
    credentials as SessionsParameters[0],
    exchanges as SessionsParameters[1],
    judgeRefusal as SessionsParameters[2],
    grants as SessionsParameters[3],
    refusals as SessionsParameters[4],
    logger,
  );
}
