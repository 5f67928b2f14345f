import { files, mutant, type ProvenMutant } from './mutant.js';

/** Each mutant lacks a rule of the SQL, or a rule that only a run on PostgreSQL can test. */
const drafts: readonly ProvenMutant[] = [
  mutant({
    name: 'no-duplicate-key',
    removes: 'no two unresolved attempts look alike',
    edits: [
      {
        file: files.schema,
        find: 'create unique index withdrawal_attempts_one_debit',
        replace: 'create index withdrawal_attempts_one_debit',
      },
      {
        file: files.schema,
        find: 'create unique index withdrawal_attempts_one_receipt',
        replace: 'create index withdrawal_attempts_one_receipt',
      },
    ],
    seeds: 200,
  }),
  mutant({
    name: 'linked-ids-ignored',
    removes: 'a record that is linked to another withdrawal is not this one',
    file: files.store,
    find: '[mode, exchange, id, exchangeIds]',
    replace: '[mode, exchange, id, []]',
    with: ['same_account'],
    seeds: 200,
  }),
  mutant({
    name: 'records-are-those-of-one-wallet',
    removes: 'a record of the exchange belongs to one withdrawal, whichever wallet made it',
    edits: [
      {
        file: files.schema,
        find: 'withdrawals_one_record on withdrawals (mode, exchange, exchange_id)',
        replace: 'withdrawals_one_record on withdrawals (wallet_id, exchange_id)',
      },
      {
        file: files.store,
        find: 'id <> $3 and exchange_id = any($4)',
        replace:
          'id <> $3 and exchange_id = any($4) and wallet_id = (select own.wallet_id from withdrawals own where own.id = $3)',
      },
    ],
    with: ['same_account'],
    seeds: 200,
  }),
  mutant({
    name: 'records-are-those-of-one-project',
    removes: 'a record of the exchange belongs to one withdrawal, whichever project made it',
    edits: [
      {
        file: files.schema,
        find: 'withdrawals_one_record on withdrawals (mode, exchange, exchange_id)',
        replace: 'withdrawals_one_record on withdrawals (project_id, exchange, exchange_id)',
      },
      {
        file: files.store,
        find: 'id <> $3 and exchange_id = any($4)',
        replace:
          'id <> $3 and exchange_id = any($4) and project_id = (select own.project_id from withdrawals own where own.id = $3)',
      },
    ],
    with: ['same_account'],
    seeds: 200,
  }),
  mutant({
    name: 'later-records-are-not-compared',
    removes: 'every record of a history is compared with refused withdrawals',
    file: files.comparison,
    find: 'if (moved.length === 0)',
    replace: 'if (moved.length >= 0)',
    with: ['disproved_refusal'],
    seeds: 100,
  }),
  mutant({
    name: 'disputed-withdrawals-are-repeated',
    removes: 'while an operator has to decide about a disproved refusal, equal withdrawals are refused',
    file: files.store,
    find: 'await refuseDisputed(this.db, tx, keys);',
    replace: '',
    with: ['disproved_refusal'],
    seeds: 400,
  }),
  mutant({
    name: 'claim-in-any-state',
    removes: 'only a withdrawal that may be submitted gets an attempt',
    file: files.store,
    find: 'return { withdrawal, attempt: null };',
    replace: ';',
    seeds: 1_200,
  }),
  mutant({
    name: 'results-without-a-guard',
    removes: 'a result is recorded only for an attempt that has none',
    file: files.transitions,
    find: 'where id = $1 and outcome = any($2) returning id',
    replace: 'where id = $1 and $2::text[] is not null returning id',
    seeds: 1_200,
  }),
  mutant({
    name: 'replaced-credentials-are-lost',
    removes: 'credentials that something still needs outlive their replacement',
    file: files.credentials,
    find: 'await this.keepHeld(tx, owner.walletId, kept.sealed);',
    replace: ';',
    with: ['replaced_credentials'],
    seeds: 200,
  }),
  mutant({
    name: 'quotes-from-before-a-restore-admitted',
    removes: 'a quote from before a restore may have been executed, and is not executed again',
    file: files.restored,
    find: 'if (found.is_former)',
    replace: 'if (found === null)',
    with: ['restored_database'],
    seeds: 1_500,
  }),
  mutant({
    name: 'lost-executions-reported-as-expired',
    removes: 'a quote whose execution a restored database may lack is not reported as expired',
    file: files.execute,
    find: '(await this.restored.mayLackExecution(quote)) ? new ExecutionMayBeLost() :',
    replace: '',
    with: ['restored_database'],
    seeds: 300,
  }),
];

export const inPostgres: readonly ProvenMutant[] = drafts.map((each) => ({ ...each, store: 'postgres' }));
