import { describeContract } from '../../testing/contract/describe-contract.js';
import { krakenContract } from './kraken-contract.js';
import { kraken } from './kraken.js';

describeContract({ declaration: kraken, contract: krakenContract });
