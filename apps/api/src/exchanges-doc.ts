import { exchangeFacts, type ExchangeFacts } from '#exchange';

/** `docs/exchanges.md`: what works with each exchange, and the facts from which this follows. */
export function exchangesDocument(): string {
  return [
    '# Exchanges',
    '',
    'Generated from the declarations in `libs/exchange/src/exchanges` by `npm run docs`; do not edit.',
    '',
    '## What works',
    '',
    '| exchange | read | deposit addresses | spot orders | withdrawals | connect by | prices in USD | tradable pairs | test projects |',
    '|---|---|---|---|---|---|---|---|---|',
    ...exchangeFacts.map(capabilityRow),
    '',
    '“Connect by” names how owners connect an account: by a pasted key, or by signing in at the exchange (OAuth). Wallets of',
    'test projects are accounts of the sandbox exchange, which speaks the protocols of the marked exchanges.',
    '',
    '## Keys',
    '',
    'The table lists the fields of a key in `POST /v0/wallet/{exchange}/connect` with the exchange’s own names in brackets,',
    'and for each kind of access the permissions of the key, as the exchange names them. A key needs only the permissions of',
    'the access that you use: `read` and, for example, `withdrawal`. “–” stands for access that is not offered.',
    '[connecting.md](connecting.md) has more about keys.',
    '',
    '| exchange | fields | read | deposit addresses | spot orders | withdrawals |',
    '|---|---|---|---|---|---|',
    ...exchangeFacts.map(keyRow),
    '',
    '## Withdrawals',
    '',
    'A submission can end without a response. The table states how the service then learns what happened, and whether the',
    'amount of a request includes the fee. [withdrawals.md](withdrawals.md) explains the classes,',
    'and [what was proven at each exchange](withdrawals.md#each-exchange).',
    '',
    '| exchange | an unknown outcome is found | amount on the wire | documentation |',
    '|---|---|---|---|',
    ...exchangeFacts.flatMap(withdrawalRow),
    '',
    '## Regions',
    '',
    'Some exchanges run regional sites, and a key is valid at the site that issued it only. The connect page asks for the',
    'site; API callers send `apiRegion`.',
    '',
    '| exchange | `apiRegion` | site |',
    '|---|---|---|',
    ...exchangeFacts.flatMap(regionRows),
    '',
    '## Hosts',
    '',
    'The addresses of the exchanges’ APIs, with the page that names each of them and the date of that page. `EXCHANGE_<ID>_URL`',
    'replaces them. Where an exchange has a second host, each process tries the hosts before its first request to the',
    'exchange, and uses the first one that serves until the process ends. No request moves to another host.',
    '',
    '| exchange | `apiRegion` | host | source |',
    '|---|---|---|---|',
    ...exchangeFacts.flatMap(hostRows),
    '',
    '## What is not offered',
    '',
    '| exchange | capability | reason |',
    '|---|---|---|',
    ...exchangeFacts.flatMap(missingRows),
    '',
  ].join('\n');
}

const mark = (isOffered: boolean): string => (isOffered ? 'yes' : '–');

function capabilityRow({ spec, ...offers }: ExchangeFacts): string {
  const can = (kind: 'read' | 'deposit' | 'trade' | 'withdrawal'): string =>
    spec.partlyOffered?.[kind] === undefined ? mark(spec.access.includes(kind)) : 'partly';
  const connect = offers.isAuthorized ? 'key, OAuth' : 'key';
  const cells = [
    ...[spec.name, can('read'), can('deposit'), can('trade'), can('withdrawal'), connect],
    ...[mark(offers.hasPrices), mark(offers.hasPairs), mark(spec.hasSandbox)],
  ];
  return `| ${cells.join(' | ')} |`;
}

function keyRow({ spec }: ExchangeFacts): string {
  const { name, keyUrl, keyGuide, access, sandboxOnly } = spec;
  const fields = spec.credentialFields.map((field) => {
    const exchangeName = keyGuide?.fieldNames?.[field];
    return exchangeName === undefined ? `\`${field}\`` : `\`${field}\` (${exchangeName})`;
  });
  const permissions = (['read', 'deposit', 'trade', 'withdrawal'] as const).map((kind) => {
    if (!access.includes(kind)) return '–';
    const { permissions: guide, readsWithAll = false } = keyGuide ?? {};
    if (guide === undefined) return 'names not known';
    const isReading = readsWithAll && guide[kind].every((permission) => guide.read.includes(permission));
    return guide[kind].join(', ') + (isReading ? ' (for a key that only reads)' : '');
  });
  return `| [${name}](${sandboxOnly ? 'sandbox.md' : keyUrl}) | ${[fields.join(', '), ...permissions].join(' | ')} |`;
}

const SEARCHES = {
  idempotent: 'by our reference; the exchange executes only one request with the same reference (`idempotent`)',
  by_reference: 'by our reference, which the exchange stores (`by_reference`)',
  by_match: 'by destination, amount and time in the history (`by_match`)',
} as const;

function withdrawalRow({ spec }: ExchangeFacts): string[] {
  const facts = spec.withdrawals;
  if (facts === undefined) return [];
  const amount = facts.amountIs === 'net' ? 'what arrives; the fee is added to it' : 'includes the fee';
  const fee = facts.fee === 'estimated' ? ' (the operator estimates the fee)' : '';
  const alike = facts.mayChangeReference === true ? '; an equal record with another reference needs an operator' : '';
  return [`| ${spec.name} | ${SEARCHES[facts.class]}${alike} | ${amount}${fee} | [source](${facts.evidence}) |`];
}

function regionRows({ spec }: ExchangeFacts): string[] {
  return (spec.regions ?? []).map(
    ({ id, name }, at) => `| ${spec.name} | \`${id}\`${at === 0 ? ' (default)' : ''} | ${name} |`,
  );
}

function hostRows({ spec, hosts }: ExchangeFacts): string[] {
  return hosts.map(({ region, url, isOther, evidence }) => {
    const site = region === null ? '–' : `\`${region}\``;
    return `| ${spec.name} | ${site} | ${url}${isOther ? ' (if the usual host does not serve)' : ''} | ${evidence} |`;
  });
}

function missingRows({ spec }: ExchangeFacts): string[] {
  return Object.entries({ ...spec.notOffered, ...spec.partlyOffered }).map(
    ([kind, reason]) => `| ${spec.name} | ${kind} | ${reason} |`,
  );
}
