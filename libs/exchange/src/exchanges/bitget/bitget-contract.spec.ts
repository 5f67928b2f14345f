import { describeContract } from '../../testing/contract/describe-contract.js';
import { bitgetContract } from './bitget-contract.js';
import { bitget } from './bitget.js';

describeContract({ declaration: bitget, contract: bitgetContract });
