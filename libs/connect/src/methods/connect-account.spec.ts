import type { Authorizations, Exchanges } from '#exchange';
import type { Identities } from '#kyc';
import type { Clock } from '#platform/clock';
import { capturedLog } from '#platform/testing';
import type { ConnectWallet, StoreGrant } from '#wallet';
import type { SessionLifecycle } from '../session/session-lifecycle.js';
import type { SessionPermission } from '../session/session-permission.js';
import type { ChosenSession, SessionStore } from '../session/session-store.js';
import { ConnectAccount, type Obtained } from './connect-account.js';

type Connected = Parameters<ConnectWallet['execute']>[1];

/** Connects an account. @returns what the wallet was connected with */
async function connect(
  facts: Partial<ChosenSession>,
  obtained: Partial<Obtained> = {},
): Promise<Connected | undefined> {
  const made: Connected[] = [];
  const wallets: Partial<ConnectWallet> = {
    execute: (_project, input) => Promise.resolve(void made.push(input) as never),
  };
  const lifecycle: Pick<SessionLifecycle, 'claim'> = { claim: (seen) => Promise.resolve(seen) };
  const connecting = new ConnectAccount(
    ...([{} as Exchanges, {} as Authorizations, wallets as ConnectWallet, {} as StoreGrant, {} as Identities] as const),
    ...([lifecycle as SessionLifecycle, {} as SessionPermission, {} as SessionStore, {} as Clock] as const),
    capturedLog().logger,
  );
  const project = { id: 'p', organizationId: 'o', mode: 'test' };
  const session = { id: 's', project, externalWalletId: 'e', exchange: 'kraken', mayReplace: false, ...facts };
  await connecting.execute(session as ChosenSession, 'oauth', () =>
    Promise.resolve({ credentials: {}, ...obtained } as Obtained),
  );
  return made[0];
}

describe('a session that connects an account', () => {
  it('replaces the credentials of a wallet only if it may, also of one that was connected after the check', async () => {
    expect(await connect({ mayReplace: false })).toMatchObject({
      externalWalletId: 'e',
      exchange: 'kraken',
      onlyNew: true,
    });
    expect(await connect({ mayReplace: true })).toMatchObject({ onlyNew: false });
  });

  it('connects with pasted credentials unless they came from an authorization', async () => {
    expect(await connect({})).toMatchObject({ authorized: false });
    const identity = { fullName: 'Ada' } as NonNullable<Obtained['identity']>;
    expect(await connect({}, { scopes: [], identity })).toMatchObject({ authorized: true });
  });
});
