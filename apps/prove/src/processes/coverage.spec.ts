import { Coverage } from './coverage.js';
import { faultKindNames } from './faults.js';
import { pointNames } from './points.js';
import { cellCount } from './schedule.js';

describe('the coverage of crash points and faults', () => {
  it('counts a combination when, in one schedule, its crash point was reached and its fault affected a call', () => {
    const coverage = new Coverage();
    coverage.add({ crashed: ['api_in_claim'], fired: ['hang'] });
    coverage.add({ crashed: ['api_in_claim'], fired: ['hang'] });
    expect(coverage.visited).toBe(1);
    expect(coverage.missing()).toHaveLength(cellCount - 1);
    expect(coverage.missing()).not.toContain('api_in_claim × hang');
  });

  it('counts a fault without a crash under the point none, and under no other point', () => {
    const coverage = new Coverage();
    coverage.add({ crashed: [], fired: ['hang'] });
    expect(coverage.missing()).not.toContain('none × hang');
    expect(coverage.missing()).toContain('api_in_claim × hang');
  });

  it('counts every combination of the points and faults of a schedule in which several occurred', () => {
    const coverage = new Coverage();
    coverage.add({ crashed: ['api_in_claim', 'worker_after_find'], fired: ['hang', 'answer_lost'] });
    expect(coverage.visited).toBe(4);
  });

  it('shows a line for each point and a column for each fault', () => {
    const coverage = new Coverage();
    coverage.add({ crashed: [], fired: [] });
    const lines = coverage.table().split('\n');
    expect(lines).toHaveLength(faultKindNames.length + 1 + pointNames.length);
    expect(lines[faultKindNames.length + 1]).toMatch(/^ *none +1( +\.)+$/);
  });
});
