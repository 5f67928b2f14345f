import { describeContract } from '../../testing/contract/describe-contract.js';
import { bitstampContract } from './bitstamp-contract.js';
import { bitstamp } from './bitstamp.js';

describeContract({ declaration: bitstamp, contract: bitstampContract });
