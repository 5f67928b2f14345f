import { failedTests } from './run-spec.js';

/**
 * A report as Jest 30 writes it with `--json` (https://jestjs.io/docs/cli#--json), with the given tests of one spec
 * file.
 */
function report(...tests: [name: string, status: 'passed' | 'failed' | 'pending'][]): string {
  const assertionResults = tests.map(([fullName, status]) => ({ ancestorTitles: [], fullName, status }));
  return JSON.stringify({ numTotalTests: tests.length, testResults: [{ name: 'a.spec.ts', assertionResults }] });
}

describe('the report about a spec', () => {
  it('names the tests that failed', () => {
    expect(failedTests(report(['one', 'passed'], ['two', 'failed']))).toEqual(['fails: two']);
    expect(failedTests(report(['one', 'passed']))).toEqual([]);
  });

  it('gives no verdict when no test passed, for example because the spec was not compiled', () => {
    expect(failedTests(report())).toBeNull();
    expect(failedTests(report(['one', 'pending']))).toBeNull();
    expect(failedTests(report(['one', 'failed'], ['two', 'failed']))).toBeNull();
    expect(failedTests(JSON.stringify({ testResults: [] }))).toBeNull();
  });
});
