import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '#platform/errors';
import { projectRoot } from '#platform/testing';

const sources = ['libs', 'apps']
  .flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { encoding: 'utf8', recursive: true }).map((p) => join(folder, p)),
  )
  .filter((path) => /^(libs|apps)\/[^/]+\/src\/.*(?<!spec)\.ts$/.test(path) && !/\/testing\/|^apps\/prove\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));

/** Returns the file of each match. */
const placesOf = (pattern: RegExp): string[] =>
  sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(() => path));

const raising = (code: string): string[] => placesOf(new RegExp(`\\b(?:super|new \\w+)\\(\\s*'${code}'`, 'g'));

const codes = Object.keys(errorCodes).filter((code) => /^(WITHDRAWAL|QUOTE)_/.test(code));

describe('a code of quotes and withdrawals', () => {
  it.each(codes)('%s is raised by one class at most', (code) => {
    expect(raising(code).length).toBeLessThan(2);
  });

  it('that has no class of its own is raised only by WithdrawalRefused and RefusedByExchange, each created in one file', () => {
    expect(codes.filter((code) => raising(code).length === 0).sort()).toEqual([
      'WITHDRAWAL_2FA_INCOMPLETE',
      'WITHDRAWAL_2FA_REQUIRED_EMAIL',
      'WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION',
      'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS',
      'WITHDRAWAL_2FA_REQUIRED_PASSPHRASE',
      'WITHDRAWAL_2FA_REQUIRED_SMS',
      'WITHDRAWAL_2FA_REQUIRED_TOTP',
      'WITHDRAWAL_2FA_REQUIRED_YUBIKEY',
      'WITHDRAWAL_EMAIL_UNVERIFIED',
      'WITHDRAWAL_FUNDING_ADDRESS_CONFLICT',
      'WITHDRAWAL_KYC_REQUIRED',
      'WITHDRAWAL_TOO_MANY_ADDRESSES',
    ]);
    expect(placesOf(/\bnew WithdrawalRefused\(/g)).toEqual(['libs/withdrawal/src/execution/execute-quote.ts']);
    expect(placesOf(/\bnew RefusedByExchange\(/g)).toEqual(['libs/wallet/src/failures/exchange-failure.ts']);
  });
});
