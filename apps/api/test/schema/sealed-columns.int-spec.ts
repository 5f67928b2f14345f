import { randomUUID } from 'node:crypto';
import { AccessModule, type ProjectIdentity } from '#access';
import { SealedSessions } from '#connect';
import { SessionStore } from '#connect/testing';
import type { CredentialField, ExchangeCredentials } from '#exchange';
import { Identities, KycModule } from '#kyc';
import { CannotOpen, SealedTables, Secret, type SealedRecord } from '#platform/crypto';
import { withoutRules } from '#platform/testing';
import type { Wallet } from '#wallet';
import {
  connectedWallet,
  createWalletHarness,
  openCredentials,
  openRefreshToken,
  sealCredentials,
  sealRefreshToken,
  type WalletHarness,
} from '#wallet/testing';
import { CreateWebhookEndpoint, RotateWebhookSecret, WebhookModule, type WebhookEndpoint } from '#webhook';
import { WebhookSecrets } from '#webhook/testing';
import { SealedChallenges } from '#withdrawal';
import { CollectedCodes } from '#withdrawal/testing';

/** The version and the write of all credentials here, so that neither can be the reason why a record does not open. */
const WRITE = { id: 'v1', sequence: 0 };
const TEXT = 'sealed text';
const ACTOR = 'tests';
type Project = Pick<ProjectIdentity, 'id' | 'organizationId'>;

/** A sealed value in its row. */
interface Sealed {
  record: SealedRecord;
  /** Opens a record that lies in this row, as the store of the column does. */
  open: (record: SealedRecord) => Promise<unknown>;
}

/** A value, and values of the same kind that belong to other rows or other projects. */
interface Kind {
  own: Sealed;
  elsewhere: Readonly<Record<string, Sealed>>;
}

let harness: WalletHarness;
let project: ProjectIdentity;
let other: ProjectIdentity;
/** The wallet of all values that belong to a wallet, so that only their columns and names differ. */
let wallet: Wallet;
const refusals: string[] = [];

/** The project with one changed id. */
const others = (): Record<string, Project> => ({
  'another project': { ...project, id: other.id },
  'another organization': { ...project, organizationId: other.organizationId },
});

/** The same row in other projects, and other rows of the project. */
async function kindOf<Row>(
  make: (of: Project, row: Row) => Promise<Sealed>,
  own: Row,
  rows: Readonly<Record<string, Row>>,
): Promise<Kind> {
  const elsewhere: Record<string, Sealed> = {};
  for (const [name, of] of Object.entries(others())) elsewhere[name] = await make(of, own);
  for (const [name, row] of Object.entries(rows)) elsewhere[name] = await make(project, row);
  return { own: await make(project, own), elsewhere };
}

function credentials(field: CredentialField): Promise<Kind> {
  const all: ExchangeCredentials = { apiKey: new Secret(TEXT), [field]: new Secret(TEXT) };
  const make = async (of: Project, walletId: string): Promise<Sealed> => {
    const owner = { project: of, walletId };
    const sealed = sealCredentials(await harness.vault.sealer(of), owner, all, WRITE);
    const { [field]: record } = sealed.fields;
    if (record === undefined) throw new Error(`${field} is not sealed`);
    const open = (found: SealedRecord) =>
      openCredentials(harness.vault, owner, { ...sealed, fields: { ...sealed.fields, [field]: found } }, WRITE);
    return { record, open };
  };
  return kindOf(make, wallet.id, { 'another wallet': 'other-wallet' });
}

function refreshTokens(): Promise<Kind> {
  const make = async (of: Project, walletId: string): Promise<Sealed> => {
    const owner = { project: of, walletId };
    const sealed = sealRefreshToken(await harness.vault.sealer(of), owner, new Secret(TEXT), WRITE);
    const open = (found: SealedRecord) => openRefreshToken(harness.vault, owner, found, WRITE);
    return { record: JSON.parse(sealed) as SealedRecord, open };
  };
  return kindOf(make, wallet.id, { 'another wallet': 'other-wallet' });
}

function sessions(): Promise<Kind> {
  const store = harness.get(SessionStore);
  const make = async (of: Project, id: string): Promise<Sealed> => {
    const session = { id, project: of } as Parameters<SessionStore['seal']>[0];
    const open = (sealed: SealedRecord) => store.unseal({ ...session, sealed });
    return { record: await store.seal(session, { text: TEXT }), open };
  };
  return kindOf(make, 'session', { 'another session': 'other-session' });
}

function codes(field: 'twofa' | 'emailCode' | 'smsCode'): Promise<Kind> {
  const store = harness.get(CollectedCodes);
  const make = async (of: Project, quote: { id: string; walletId: string }): Promise<Sealed> => {
    const subject = { project: of, quote } as Parameters<CollectedCodes['seal']>[0];
    const open = (sealed: SealedRecord) => store.open(subject, { [field]: sealed });
    return { record: await store.seal(subject, field, new Secret(TEXT)), open };
  };
  const own = { id: 'quote', walletId: wallet.id };
  return kindOf(make, own, {
    'another quote': { ...own, id: 'other-quote' },
    'another wallet': { ...own, walletId: 'other-wallet' },
  });
}

type RowOf = readonly [table: string, id: string, value: string];

async function readSealed([table, id, value]: RowOf): Promise<SealedRecord> {
  const [row] = await harness.db.query<{ sealed: SealedRecord }>(`select sealed from ${table} where ${id} = $1`, [
    value,
  ]);
  if (row === undefined) throw new Error(`${table} has no row ${value}`);
  return row.sealed;
}

/** Opens a record after it was written into a row of a table, and puts back what was there. */
async function openIn(row: RowOf, sealed: SealedRecord, open: () => Promise<unknown>): Promise<unknown> {
  const [table, id, value] = row;
  const write = (record: SealedRecord): Promise<void> =>
    withoutRules(
      harness.database.ownerUrl,
      `update ${table} set sealed = '${JSON.stringify(record)}' where ${id} = '${value}'`,
    );
  const before = await readSealed(row);
  await write(sealed);
  try {
    return await open();
  } finally {
    await write(before);
  }
}

async function createWallet(of: ProjectIdentity): Promise<Wallet> {
  const created = await connectedWallet(harness.db, of, { vault: harness.vault });
  await withoutRules(
    harness.database.ownerUrl,
    `update wallet_credentials set sealed = jsonb_set(sealed, '{id}', '"${WRITE.id}"') where wallet_id = '${created.id}'`,
  );
  return created;
}

async function identities(): Promise<Kind> {
  const store = harness.get(Identities);
  const make = async (of: ProjectIdentity, { id, externalId }: Wallet): Promise<Sealed> => {
    const owner = { project: of, walletId: id, sealer: await harness.vault.sealer(of) };
    const ada = { fullName: 'Ada Lovelace', email: 'ada@example.org', iban: null, country: 'GB' };
    await harness.db.transaction((tx) => store.store(tx, owner, ada));
    const row: RowOf = ['wallet_identities', 'wallet_id', id];
    return { record: await readSealed(row), open: (sealed) => openIn(row, sealed, () => store.get(of, externalId)) };
  };
  return {
    own: await make(project, wallet),
    elsewhere: {
      'another wallet': await make(project, await createWallet(project)),
      'another project': await make(other, await createWallet(other)),
    },
  };
}

async function webhookSecrets(): Promise<Kind> {
  const create = async ({ id: projectId }: Project): Promise<WebhookEndpoint> => {
    const url = `http://127.0.0.1/${randomUUID()}`;
    const input = { projectId, url, description: '', eventTypes: [], actor: ACTOR };
    return (await harness.get(CreateWebhookEndpoint).execute(input)).endpoint;
  };
  const secretsOf = async (endpoint: WebhookEndpoint): Promise<Sealed[]> => {
    const rows = await harness.db.query<{ id: string; sealed: SealedRecord }>(
      `select id, sealed from webhook_secrets where endpoint_id = $1 order by created_at, id`,
      [endpoint.id],
    );
    return rows.map(({ id, sealed: record }) => ({
      record,
      open: (sealed) =>
        openIn(['webhook_secrets', 'id', id], sealed, () => harness.get(WebhookSecrets).listSigning(endpoint)),
    }));
  };
  const endpoint = await create(project);
  // A secret that signs during an overlap has the number of its own write, so it differs from others by its row alone.
  await harness.get(RotateWebhookSecret).execute(endpoint.id, 3_600, ACTOR);
  const [own, current] = await secretsOf(endpoint);
  const [ofOther] = await secretsOf(await create(project));
  const [ofProject] = await secretsOf(await create(other));
  if (own === undefined || current === undefined || ofOther === undefined || ofProject === undefined)
    throw new Error('an endpoint has no secret');
  return {
    own,
    elsewhere: { 'a newer secret': current, 'another endpoint': ofOther, 'another project': ofProject },
  };
}

/** The kinds of values in each sealed column. `replaced_credentials` holds former values of `wallet_credentials`. */
const columns: Readonly<Record<string, Readonly<Record<string, () => Promise<Kind>>>>> = {
  'connect_sessions.sealed': { session: sessions },
  'replaced_credentials.sealed': {},
  'wallet_credentials.sealed': {
    apiKey: () => credentials('apiKey'),
    apiSecret: () => credentials('apiSecret'),
    apiPassphrase: () => credentials('apiPassphrase'),
    apiUid: () => credentials('apiUid'),
    apiRegion: () => credentials('apiRegion'),
  },
  'wallet_grants.sealed': { refreshToken: refreshTokens },
  'wallet_identities.sealed': { identity: identities },
  'webhook_secrets.sealed': { secret: webhookSecrets },
  'withdrawal_challenges.sealed_codes': {
    twofa: () => codes('twofa'),
    emailCode: () => codes('emailCode'),
    smsCode: () => codes('smsCode'),
  },
};
const kinds = Object.entries(columns).flatMap(([column, ofColumn]) =>
  Object.entries(ofColumn).map(([name, make]) => ({ name: `${column} (${name})`, make })),
);

describe('a sealed value', () => {
  const made = new Map<string, Kind>();

  beforeAll(async () => {
    harness = await createWalletHarness({
      settings: { WEBHOOK_ALLOW_PRIVATE: 'true' },
      imports: [{ module: AccessModule }, { module: KycModule }, { module: WebhookModule }],
      providers: [CollectedCodes, SealedChallenges, SealedSessions, SessionStore],
    });
    [project, other] = [await harness.project('test'), await harness.project('test')];
    wallet = await createWallet(project);
    harness.vault.onRefusal = (reason) => refusals.push(reason);
    for (const { name, make } of kinds) made.set(name, await make());
  });
  afterAll(() => harness.close());
  beforeEach(() => refusals.splice(0));

  const kind = (name: string): Kind => {
    const found = made.get(name);
    if (found === undefined) throw new Error(`nothing is made of ${name}`);
    return found;
  };

  it('is in one of the columns that are tested here', async () => {
    const found = await harness.db.query<{ table: string; column: string }>(
      `select c.table_name as table, c.column_name as column
         from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name ~ 'sealed'
        order by 1, 2`,
    );
    expect(found.map(({ table, column }) => `${table}.${column}`)).toEqual(Object.keys(columns));
    const registered = harness.get(SealedTables).list();
    expect(registered.map(([table]) => table).sort()).toEqual(found.map(({ table }) => table));
  });

  it.each(kinds)('of $name opens in its own row alone', async ({ name }) => {
    const { own, elsewhere } = kind(name);
    await own.open(own.record);
    for (const [place, { record }] of Object.entries(elsewhere)) {
      refusals.length = 0;
      const opened = await own.open(record).then(
        () => 'opened',
        (error: unknown) => (error instanceof CannotOpen ? 'refused' : error),
      );
      // Its place is the reason, and not the number of its write.
      expect([place, opened, refusals]).toEqual([place, 'refused', ['altered']]);
    }
  });

  it.each(kinds)('of $name opens in no other column and under no other name', async ({ name }) => {
    const { own } = kind(name);
    for (const [otherName, { own: foreign }] of made) {
      if (otherName === name) continue;
      const opened = await foreign.open(own.record).catch((error: unknown) => error);
      expect([otherName, opened]).toEqual([otherName, expect.any(CannotOpen)]);
    }
  });
});
