import { statementsOverProjects } from '#platform/testing';

describe('the statements of look-ups on chains', () => {
  it('name the project of a transaction, or an id that is unique among all projects', () => {
    expect(statementsOverProjects('libs/transaction/src/enrichment')).toEqual([]);
  });
});
