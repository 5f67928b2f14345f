import { statementsOverProjects } from '#platform/testing';

describe('the statements of orders', () => {
  it('name the project of an order, or an id that is unique among all projects', () => {
    expect(statementsOverProjects('libs/trading/src/orders')).toEqual([]);
  });
});
