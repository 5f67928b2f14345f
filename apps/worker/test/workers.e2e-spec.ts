import { describeWorkers } from './worker-suite.js';

describeWorkers('PostgreSQL', () => Promise.resolve({}));
