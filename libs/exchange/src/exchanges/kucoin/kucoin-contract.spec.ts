import { describeContract } from '../../testing/contract/describe-contract.js';
import { kucoinContract } from './kucoin-contract.js';
import { kucoin } from './kucoin.js';

describeContract({ declaration: kucoin, contract: kucoinContract });
