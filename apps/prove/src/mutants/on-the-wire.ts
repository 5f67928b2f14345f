import { files as allFiles, mutant, type ProvenMutant } from './mutant.js';

const EXCHANGE = 'libs/exchange/src';
const files = {
  transport: `${EXCHANGE}/transport/transport.js`,
  dedicatedConnection: `${EXCHANGE}/transport/dedicated-connection.js`,
  submission: `${EXCHANGE}/submission/submission.js`,
  evidence: `${EXCHANGE}/submission/submit-evidence.js`,
  errors: `${EXCHANGE}/transport/error-map.js`,
  nonces: `${EXCHANGE}/nonces/nonces.js`,
  sqlNonces: `${EXCHANGE}/nonces/database-nonces.js`,
  /** Most runs of the wire proof take their nonces from this file, and not from the database. */
  memoryNonces: `${EXCHANGE}/nonces/memory-nonces.js`,
} as const;

const FIND_MEANING = 'const [meaning] = meanings.filter(isDefinite);';

const SECOND_LOOK = '?? (await laterDoubt(session, submission, waitForLag))';

/** Each mutant lacks a rule of the transport, of submissions or of nonces. */
const drafts: readonly ProvenMutant[] = [
  mutant({
    name: 'one-look-over-the-wire',
    removes:
      'a refusal counts only when a second look, after the lag of the exchange, shows no trace of the withdrawal',
    file: allFiles.confirmation,
    find: SECOND_LOOK,
    replace: '?? null',
    seeds: 500,
  }),
  mutant({
    name: 'written-again',
    removes: 'a request that was written is never written again',
    file: files.transport,
    find: 'if (this.written)',
    replace: 'if (this.status < 0)',
    seeds: 50,
  }),
  mutant({
    name: 'shared-connection',
    removes: 'a submission has a connection that no other call uses',
    file: files.transport,
    find: 'const dispatcher = own.dispatcher(this.connection);',
    replace: 'const dispatcher = this.agent;',
    seeds: 20,
  }),
  mutant({
    name: 'signed-before-connected',
    removes: 'a submission is signed after its connection is open',
    edits: [
      {
        file: files.transport,
        find: 'await own.open();',
        replace: 'const early = await sign(); await own.open();',
      },
      { file: files.transport, find: 'const signed = await sign();', replace: 'const signed = early;' },
    ],
    seeds: 100,
  }),
  mutant({
    name: 'unsound-connection-used',
    removes: 'a submission is not written after the exchange has ended its connection or sent something on it',
    file: files.dedicatedConnection,
    find: 'if (!this.isSound)',
    replace: 'if (this.socket === undefined)',
    seeds: 50,
  }),
  mutant({
    name: 'used-nonce-is-not-sent',
    removes: 'a refused nonce is an unknown outcome',
    file: files.evidence,
    find: FIND_MEANING,
    replace: `if (meanings.every(({ retryable }) => retryable === true)) return { kind: 'not_sent', reason: rawCode }; ${FIND_MEANING}`,
    seeds: 150,
  }),
  mutant({
    name: 'early-refusals-are-definite',
    removes: 'a refusal that the exchange may give before it compares the nonce is not definite',
    file: files.errors,
    find: "meaning.grade === 'refused' || meaning.forEveryCopy === true",
    replace: 'true',
    seeds: 50,
  }),
  mutant({
    name: 'faults-are-refusals',
    removes: 'a response with a 5xx proves nothing, whatever its body is',
    file: files.errors,
    find: 'return status >= 500;',
    replace: 'return false;',
    seeds: 200,
  }),
  mutant({
    name: 'written-is-forgotten',
    removes: 'a submission that was written is never called not sent',
    file: files.submission,
    find: 'written = true;',
    seeds: 50,
  }),
  mutant({
    name: 'nonces-by-the-clock-alone',
    removes: 'a nonce is above every one before it, also after the clock was set back',
    file: files.memoryNonces,
    find: 'Math.max((before?.last ?? 0) + 1, this.time.now().getTime())',
    replace: 'this.time.now().getTime()',
    seeds: 20,
  }),
  mutant({
    name: 'nonces-without-exclusive-right',
    removes: 'no call gets a higher nonce while a submission with the same key is on its way',
    file: files.nonces,
    find: 'const nonce = await this.tryTake(owner, holder, EXCLUSIVE_MS);',
    replace: 'const nonce = await this.tryTake(owner, null, EXCLUSIVE_MS);',
    seeds: 150,
  }),
  mutant({
    name: 'sql-nonces-by-the-clock-alone',
    removes: 'the statement gives a nonce above every one before it',
    file: files.sqlNonces,
    find: 'greatest(n.last + 1, ${NOW_MS})',
    replace: '${NOW_MS}',
    store: 'postgres',
    seeds: 100,
  }),
  mutant({
    name: 'sql-nonces-without-exclusive-right',
    removes: 'the statement gives no nonce while a submission has the exclusive right',
    file: files.sqlNonces,
    find: 'where n.exclusive_until is null',
    replace: 'where true or n.exclusive_until is null',
    store: 'postgres',
    seeds: 150,
  }),
];

export const onTheWire: readonly ProvenMutant[] = drafts.map((each) => ({ ...each, proof: 'wire' }));
