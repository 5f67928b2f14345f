import { databaseProblemOf } from './database-problem.js';

const errorWith = (code: string, message: string): Error => Object.assign(new Error(message), { code });

describe('a problem of the database', () => {
  it.each([
    [
      '28P01',
      'password authentication failed for user "app"',
      /refuses the user or the password of the connection \(password/,
    ],
    ['3D000', 'database "causeway" does not exist', /names does not exist \(database "causeway"/],
    ['42P01', 'relation "projects" does not exist', /not migrated: run npm run migrate \(relation/],
    ['42501', 'permission denied for table projects', /lacks rights: run npm run migrate.*\(permission denied/],
    ['42704', 'role "causeway_api" does not exist', /DATABASE_ROLE_PREFIX do not exist: create them first/],
    [
      '25006',
      'cannot execute INSERT in a read-only transaction',
      /^the database is read-only: connect to a server that accepts writes \(cannot execute INSERT/,
    ],
    ['53300', 'sorry, too many clients already', /^the database cannot work now: sorry, too many clients already$/],
    ['ECONNREFUSED', '', /^the database does not answer: ECONNREFUSED$/],
  ])('%s is described in one line for the operator', (code, message, expected) => {
    const text = databaseProblemOf(errorWith(code, message));
    expect(text).toMatch(expected);
    expect(text).not.toContain('\n');
  });

  it('is not described when it is neither an outage nor a problem that the operator can solve', () => {
    expect(databaseProblemOf(errorWith('22P02', 'invalid input syntax'))).toBeNull();
    expect(databaseProblemOf(new TypeError('x is not a function'))).toBeNull();
    expect(databaseProblemOf('text')).toBeNull();
  });
});
