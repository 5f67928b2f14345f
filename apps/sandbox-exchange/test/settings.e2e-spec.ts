import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { TestApp } from '../../api/test/support/test-app.js';

const page = readFileSync(path.join(projectRoot, 'docs/sandbox.md'), 'utf8');

/** The two code blocks of the section: the start command and the calls. */
const [start = '', calls = ''] = (page.split('### Codes that need a setting')[1] ?? '')
  .split('```')
  .filter((_text, index) => index % 2 === 1);

const settings = start
  .replaceAll('\\\n', ' ')
  .split(/\s+/)
  .filter((word) => word.includes('='))
  .map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);

/** The calls in docs/sandbox.md: each title (`# …`) with the commands below it. */
const parts = calls
  .split('\n\n')
  .map((part) => part.trim().split('\n'))
  .map(([title = '', ...lines]): [string, string[]] => [title.replace(/^# /, ''), lines]);
const isCode = (title: string): boolean => /^[A-Z_]+$/.test(title);

/** Matches `NAME=$(curl … | sed -E 's/.*"field":"…)`. */
const ASSIGNMENT = /^([A-Z]+)=\$\((curl .*) \| sed -E 's\/\.\*"([A-Za-z]+)":/;

describe('the commands of docs/sandbox.md for codes that need a setting', () => {
  let app: TestApp;
  /** The headers in the files that `npm start` writes for `curl -K`. */
  let headersIn: Record<string, Record<string, string>>;
  const variables = new Map<string, string>();

  beforeAll(async () => {
    app = await TestApp.create({
      env: (sandboxUrl) =>
        Object.fromEntries(
          settings.map(([name, value]) => [name, value.replace('http://127.0.0.1:8790', sandboxUrl)] as const),
        ),
    });
    const [project, live] = [await app.project(), await app.project({ mode: 'live' })];
    const wallet = await app.wallet(project);
    headersIn = {
      '.local/demo.curlrc': { ...project.headers, 'x-svc-wallet-id': wallet.walletId },
      '.local/my-wallet.curlrc': { ...project.headers, 'x-svc-wallet-id': 'my-wallet' },
      '.local/live.curlrc': live.headers,
    };
  });
  afterAll(() => app.close());

  /** Sends the request that a curl command describes. */
  async function curl(command: string): Promise<{ isOurs: boolean; text: string }> {
    const filled = command.replaceAll(/\$([A-Z]+)/g, (_, name: string) => variables.get(name) ?? '');
    const words = [...filled.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const valueOf = (option: string): string | undefined =>
      words.includes(option) ? words[words.indexOf(option) + 1] : undefined;
    const url = words.find((word) => word.startsWith('http://')) ?? '';
    const body = valueOf('-d');
    const response = await fetch(
      url.replace('http://127.0.0.1:8787', app.url).replace('http://127.0.0.1:8790', app.sandbox.url),
      {
        method: valueOf('-X') ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...headersIn[valueOf('-K') ?? ''],
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      },
    );
    return { isOurs: url.startsWith('http://127.0.0.1:8787'), text: await response.text() };
  }

  /** @returns the error codes of the API's responses */
  async function run(lines: readonly string[]): Promise<unknown[]> {
    const codes: unknown[] = [];
    for (const line of lines) {
      const [, name = '', command = line, field = ''] = ASSIGNMENT.exec(line) ?? [];
      const { isOurs, text } = await curl(command);
      const value = new RegExp(`"${field}":"([^"]+)"`).exec(text)?.[1];
      if (name !== '') variables.set(name, value ?? '');
      else if (isOurs) codes.push((JSON.parse(text) as { type?: string }).type);
    }
    return codes;
  }

  it('cover six codes, with six settings in one start command', () => {
    expect(parts.map(([title]) => title).filter(isCode)).toEqual([
      ...['OAUTH_COUNTRY_NOT_DETECTED', 'OAUTH_COUNTRY_CODE_INVALID', 'OAUTH_COUNTRY_NOT_SUPPORTED'],
      ...['TRADING_DATA_UNAVAILABLE', 'ENRICHMENT_TIMEOUT', 'ENRICHMENT_API_ERROR'],
    ]);
    expect(settings).toHaveLength(6);
  });

  it.each(parts)(
    'respond with the code in their title, and with no code when the title is not a code: %s',
    async (title, lines) => {
      expect(await run(lines)).toEqual(isCode(title) ? [title] : []);
    },
  );
});
