import { describeContract } from '../../testing/contract/describe-contract.js';
import { bybitContract } from './bybit-contract.js';
import { bybit } from './bybit.js';

describeContract({ declaration: bybit, contract: bybitContract });
