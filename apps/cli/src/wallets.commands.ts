import type { Command } from 'commander';
import { Audit, Projects } from '#access';
import { Identities, WalletIdentityNotFound } from '#kyc';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { InvalidRequest } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import {
  DeleteWallet,
  GetWallet,
  ListWallets,
  WalletNotFound,
  type SyncProgress,
  type Wallet,
  type WalletWithBalances,
} from '#wallet';
import { addPageOptions, id } from './arguments.js';
import { eraseWallet, type ErasedTable } from './wallet-data/erase-wallet.js';
import { exportWallet } from './wallet-data/export-wallet.js';
import { describeProgress } from './progress-bar.js';
import { WITH_EXCHANGES, type RunCommand } from './run-command.js';
import { time, type Columns } from './terminal.js';

/** Pause between two reads of the progress. */
const WATCH_PAUSE_MS = 500;

const columns: Columns<Wallet> = {
  WALLET: (wallet) => wallet.externalId,
  EXCHANGE: (wallet) => wallet.exchange,
  KEY: ({ invalidApi }) => (invalidApi ? 'invalid' : 'valid'),
  CONNECTED: (wallet) => time(wallet.createdAt),
  'LAST SYNC': (wallet) => time(wallet.lastSyncAt),
  HISTORY: ({ syncProgress }) => inWords(syncProgress),
};

const leftColumns: Columns<ErasedTable> = {
  TABLE: ({ table }) => table,
  LEFT: ({ left }) => String(left),
  REASON: ({ reason }) => reason ?? '-',
};

export function addWalletsCommands(program: Command, run: RunCommand): void {
  const wallets = program
    .command('wallets')
    .description('connected wallets, and the progress of reading their history');
  addDataCommands(wallets, run);

  addPageOptions(
    wallets
      .command('list')
      .description('list the wallets of a project, newest first')
      .requiredOption('--project <id>', 'id of the project', id),
  ).action(({ project: projectId, ...page }: PageQuery & { project: string }) =>
    run(async ({ app, terminal }) => {
      const project = await app.get(Projects).getContext(projectId);
      const { entries } = await app.get(ListWallets).execute(project, page, { withBalances: false });
      terminal.list(
        entries.map(({ wallet }) => wallet),
        columns,
      );
    }, WITH_EXCHANGES),
  );

  wallets
    .command('show')
    .description('show a wallet as of its last sync, and the progress of reading its history')
    .argument('<project>', 'id of the project', id)
    .argument('<wallet>', 'the caller’s id of the wallet')
    .option('--watch', 'follow the progress until the history is complete')
    .action((projectId: string, externalWalletId: string, { watch = false }: { watch?: boolean }) =>
      run(async ({ app, terminal }) => {
        const project = await app.get(Projects).getContext(projectId);
        const read = () => app.get(GetWallet).execute(project, externalWalletId);
        let { wallet, balances } = await read();
        if (!terminal.isJson) terminal.fields('WALLET', factsOf(wallet, balances));
        let shown = describeProgress(wallet.syncProgress);
        terminal.passing(shown);
        while (watch && wallet.syncProgress?.state !== 'complete') {
          await app.get(Clock).sleep(WATCH_PAUSE_MS);
          ({ wallet, balances } = await read());
          const line = describeProgress(wallet.syncProgress);
          if (line !== shown) terminal.passing(line);
          shown = line;
        }
        terminal.endPassing();
        if (terminal.isJson) terminal.value({ ...wallet, balances });
      }, WITH_EXCHANGES),
    );
}

function addDataCommands(wallets: Command, run: RunCommand): void {
  wallets
    .command('export')
    .description(
      'write everything that is stored about a wallet and its owner as one JSON document, without credentials',
    )
    .argument('<project>', 'id of the project', id)
    .argument('<wallet>', 'the caller’s id of the wallet')
    .action((projectId: string, externalWalletId: string) =>
      run(async ({ app, terminal }) => {
        const project = await app.get(Projects).getContext(projectId);
        const identity = (): Promise<object | null> =>
          app
            .get(Identities)
            .get(project, externalWalletId)
            .catch((error: unknown) => {
              if (error instanceof WalletIdentityNotFound || error instanceof WalletNotFound) return null;
              throw error;
            });
        const write = (text: string): void => terminal.part(text);
        await exportWallet(app.get(Database), { project, externalWalletId, identity, write });
      }, WITH_EXCHANGES),
    );

  wallets
    .command('erase')
    .description('delete a wallet and erase what may be erased of its data; shows what is left and why')
    .argument('<project>', 'id of the project', id)
    .argument('<wallet>', 'the caller’s id of the wallet')
    .requiredOption('--confirm <wallet>', 'the id of the wallet again, because an erasure cannot be undone')
    .action((projectId: string, externalWalletId: string, { confirm }: { confirm: string }) =>
      run(async ({ app, terminal, actor }) => {
        if (confirm !== externalWalletId) throw new InvalidRequest('--confirm: repeat the id of the wallet');
        const project = await app.get(Projects).getContext(projectId);
        const services = { db: app.get(Database), deleteWallet: app.get(DeleteWallet), audit: app.get(Audit) };
        const left = await eraseWallet(services, { project, externalWalletId, actor });
        terminal.list(left, leftColumns);
      }, WITH_EXCHANGES),
    );
}

function factsOf(wallet: Wallet, balances: WalletWithBalances['balances']): Record<string, string> {
  return {
    id: wallet.externalId,
    exchange: wallet.exchange,
    key: wallet.invalidApi ? 'invalid' : 'valid',
    connected: time(wallet.createdAt),
    'last sync': time(wallet.lastSyncAt),
    balances: balances.map(({ asset, total }) => `${total.toString()} ${asset}`).join(', ') || '-',
  };
}

function inWords(progress: SyncProgress | null): string {
  if (progress === null) return 'not begun';
  return progress.state === 'complete' ? 'complete' : `${(progress.fraction * 100).toFixed(1)} %`;
}
