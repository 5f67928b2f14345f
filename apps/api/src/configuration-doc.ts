import { z } from 'zod';
import { exampleExchange } from '#exchange';
import { configGroups } from '#platform/config';

interface Setting {
  description?: string;
  default?: string | number | boolean;
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  format?: string;
}

/** `docs/configuration.md`: every setting with its meaning, default and bounds. */
export function configurationDocument(): string {
  return [
    '# Configuration',
    '',
    'Generated from the schema in `libs/platform/src/config/schema.ts` by `npm run docs`; do not edit.',
    '',
    'Settings are environment variables. An empty variable counts as not set. A process with an invalid setting does not',
    `start, and reports every problem at once. \`EXCHANGE_<ID>_URL\` (for example \`EXCHANGE_${exampleExchange.id.toUpperCase()}_URL\`) overrides the real`,
    'base address of an exchange for live projects; in production it must begin with `https://`, except for an address of',
    'this machine. `ENRICHMENT_<NETWORK>_URL` (for example `ENRICHMENT_BITCOIN_URL`) is the chain API of a network',
    '([enrichment.md](enrichment.md)); without it, Causeway looks nothing up on that network. `OAUTH_<ID>_CLIENT_ID` and',
    '`OAUTH_<ID>_CLIENT_SECRET` are the OAuth client of this installation at an exchange ([production.md](production.md)).',
    'A process does not start when such a name contains an unknown exchange or network, is not in capitals, or has another',
    `ending, such as \`EXCHANGE_${exampleExchange.id.toUpperCase()}_URI\`. Variables that Kubernetes sets for a service with such a name are ignored.`,
    'Every limit, with the file that enforces it and what a caller gets, is in [limits.md](limits.md).',
    ...Object.entries(configGroups).flatMap(([heading, group]) => ['', `## ${heading}`, '', ...table(group)]),
    '',
  ].join('\n');
}

function table(group: Record<string, z.ZodType>): string[] {
  const rows = Object.entries(group).map(([key, type]) => {
    const setting = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Setting;
    return `| \`${key}\` | ${setting.description ?? ''} | ${defaultOf(setting)} | ${boundsOf(setting)} |`;
  });
  return ['| setting | meaning | default | bounds |', '|---|---|---|---|', ...rows];
}

function defaultOf(setting: Setting): string {
  return setting.default === undefined || setting.default === '' ? '–' : `\`${String(setting.default)}\``;
}

function boundsOf(setting: Setting): string {
  if (setting.enum) return setting.enum.map((value) => `\`${value}\``).join(', ');
  if (setting.format === 'uri') return 'URL';
  if (setting.minimum !== undefined) return `${setting.minimum} to ${setting.maximum}`;
  if (setting.minLength !== undefined) return `at least ${setting.minLength} characters`;
  return 'text';
}
