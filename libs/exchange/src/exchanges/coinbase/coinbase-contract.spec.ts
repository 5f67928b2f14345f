import { describeContract } from '../../testing/contract/describe-contract.js';
import { coinbaseContract } from './coinbase-contract.js';
import { coinbase } from './coinbase.js';

describeContract({ declaration: coinbase, contract: coinbaseContract });
