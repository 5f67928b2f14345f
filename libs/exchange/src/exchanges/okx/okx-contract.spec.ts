import { describeContract } from '../../testing/contract/describe-contract.js';
import { okxContract } from './okx-contract.js';
import { okx } from './okx.js';

describeContract({ declaration: okx, contract: okxContract });
